import { PayoutPolicy } from '../features/payout-policy/PayoutPolicy.tsx'

export function PayoutPolicyRoute() {
  return <PayoutPolicy />
}
