import { WithdrawLinks } from '../features/payouts/WithdrawLinks.tsx'
import { Recipients } from '../features/recipients/Recipients.tsx'

export function RecipientsRoute() {
  return (
    <>
      <WithdrawLinks />
      <Recipients />
    </>
  )
}
