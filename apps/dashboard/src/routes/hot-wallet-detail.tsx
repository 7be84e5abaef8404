import { useParams } from '@tanstack/react-router'

import { HotWallet } from '../features/hot-wallets/HotWallet.tsx'

export function HotWalletDetailRoute() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <HotWallet key={id} id={Number(id)} />
}
