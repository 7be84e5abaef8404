import { useParams } from '@tanstack/react-router'

import { BlockchainDetail } from '../features/blockchains/BlockchainDetail.tsx'

export function BlockchainDetailRoute() {
  const { code = '' } = useParams({ strict: false }) as { code?: string }
  return <BlockchainDetail key={code} code={code} />
}
