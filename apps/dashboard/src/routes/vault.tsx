import { Vaults } from '../features/vaults/Vaults.tsx'

export function VaultRoute() {
  return <Vaults />
}
