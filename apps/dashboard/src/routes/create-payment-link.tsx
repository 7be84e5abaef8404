import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function CreatePaymentLinkRoute() {
  return <PlannedScreen title="Create payment link" text="This page will create a payment link for a customer." />
}
