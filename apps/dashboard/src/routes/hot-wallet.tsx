import { HotWallets } from '../features/hot-wallets/HotWallets.tsx'
import { PendingCollectors } from '../features/wallets/cards/PendingCollectors.tsx'

export function HotWalletRoute() {
  return (
    <>
      <PendingCollectors />
      <HotWallets />
    </>
  )
}
