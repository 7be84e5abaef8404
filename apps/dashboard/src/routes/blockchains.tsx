import { Blockchains } from '../features/blockchains/Blockchains.tsx'

export function BlockchainsRoute() {
  return <Blockchains />
}
