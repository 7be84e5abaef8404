import { useParams } from '@tanstack/react-router'

import { HotWallet } from '../features/hot-wallets/HotWallet.tsx'
import { PendingCollectors } from '../features/wallets/cards/PendingCollectors.tsx'

export function HotWalletDetailRoute() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <>
      <PendingCollectors />
      <HotWallet key={id} id={Number(id)} />
    </>
  )
}
