import { adapterOf } from '@kassa/chains/adapters.ts'
import type { VaultCall } from '@kassa/chains/sweep-vaults.ts'
import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { deployFactory } from '@kassa/chains/testing/vaults.ts'
import { type Hex, numberToHex, parseEther } from 'viem'

export type TestVault = { readonly txId: string; readonly vault: Hex; readonly owner: Hex; readonly salt: Hex }

/** Salts of tests in one process: each creates a contract of its own. */
let salts = 0

function vaults() {
  const group = adapterOf('ETH_Family')?.vaults
  if (!group) throw new Error('The family has no sweep contracts')
  return group
}

/** Creates a sweep contract on a local chain as its owner would, the factory before where it is missing; mined, two blocks deep. */
export async function createVault(
  anvil: AnvilChain,
  { owner, collector, salt }: { owner: Hex; collector: Hex; salt?: Hex },
): Promise<TestVault> {
  await deployFactory(anvil.url, anvil.payer)
  await anvil.call('anvil_setBalance', owner, numberToHex(parseEther('10')))
  salts += 1
  const chosen = salt ?? numberToHex(salts, { size: 32 })
  const { chain } = anvil.session
  const { to, data } = vaults().creation(chain, { salt: chosen, collector })
  const txId = await anvil.send({ from: owner, to: to as Hex, data: data as Hex })
  await anvil.mine(2)
  return { txId, vault: vaults().vault(chain, { owner, salt: chosen }) as Hex, owner, salt: chosen }
}

/** Calls a sweep contract from a chosen address; returns the hash when it is mined. */
export function callVault(anvil: AnvilChain, from: Hex, vault: string, call: VaultCall): Promise<string> {
  const { to, data } = vaults().call(vault, call)
  return anvil.send({ from, to: to as Hex, data: data as Hex })
}
