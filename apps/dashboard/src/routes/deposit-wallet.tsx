import { PlannedScreen } from '../features/planned/PlannedScreen.tsx'

export function DepositWalletRoute() {
  return (
    <PlannedScreen title="Deposit wallets" text="This page will hold the wallets deposit addresses are derived from." />
  )
}
