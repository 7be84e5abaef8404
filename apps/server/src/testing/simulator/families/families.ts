import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { bitcoinFamily } from './bitcoin.ts'
import { evmFamily } from './evm.ts'
import type { Family, Network } from './family.ts'
import { solanaFamily } from './solana.ts'
import { tronFamily } from './tron.ts'

/** Blockchains that worlds have. */
export type SimulatedCode = 'ETH' | 'BASE' | 'TRX' | 'BTC' | 'SOLANA'

/** What worlds have, from one pair of seeds to the next in turn. */
const WORLDS = [
  ['ETH', 'TRX'],
  ['ETH', 'BTC'],
  ['ETH', 'SOLANA'],
  ['ETH', 'BASE'],
] as const satisfies readonly (readonly SimulatedCode[])[]

/** Every so many worlds has one chain of each family. */
const ALL_EACH = 10
const ALL = ['ETH', 'TRX', 'BTC', 'SOLANA'] as const

/**
 * Where shops pay out or sweep, from one pair of seeds to the next in turn. A chain that is alone has a whole run for itself: what
 * devices sign for Bitcoin, and what addresses of TRON sign, takes many steps.
 */
const PAYING = [
  ['ETH', 'BASE'],
  ['BTC'],
  ['ETH', 'TRX'],
  ['ETH', 'BASE'],
  ['TRX'],
  ['ETH', 'TRX'],
] as const satisfies readonly (readonly SimulatedCode[])[]

/** The blockchains of the world of a seed. */
export function codesOf(seed: number, { isPaying }: { readonly isPaying: boolean }): readonly SimulatedCode[] {
  if (isPaying) return inTurn(PAYING, seed)
  if (seed % ALL_EACH === ALL_EACH - 1) return ALL
  // Runs of many seeds pay out in the even ones: the others must not be of one family alone.
  return inTurn(WORLDS, seed)
}

function inTurn(worlds: readonly (readonly SimulatedCode[])[], seed: number): readonly SimulatedCode[] {
  return worlds[Math.floor(seed / 2) % worlds.length] ?? ALL
}

/** The family of a blockchain, on a network. */
export function familyOf(code: SimulatedCode, network: Network): Family {
  const definition = findBlockchain(code)
  if (!definition) throw new Error(`There is no blockchain ${code}`)
  switch (code) {
    case 'TRX':
      return tronFamily(definition, network)
    case 'BTC':
      return bitcoinFamily(network)
    case 'SOLANA':
      return solanaFamily(definition, network)
    case 'ETH':
    case 'BASE':
      return evmFamily(definition, network)
  }
}
