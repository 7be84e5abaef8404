import { DepositWallets } from '../features/wallets/DepositWallets.tsx'

export function DepositWalletRoute() {
  return <DepositWallets />
}
