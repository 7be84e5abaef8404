import { HotWallets } from '../features/hot-wallets/HotWallets.tsx'

export function HotWalletRoute() {
  return <HotWallets />
}
