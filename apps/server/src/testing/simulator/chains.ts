/** The blockchains of a world. */
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { familyOf, type SimulatedCode } from './families/families.ts'
import type { Network, SimulatedNode } from './families/family.ts'
import { vaultOf } from './money-out/vaults.ts'
import { NOTHING_SIGNED } from './money-out/pools/signed-pool.ts'
import type { Random } from './random.ts'
import { WORLD_BEGINS } from './template.ts'
import type { SimulatedChain } from './world.ts'

/** Nodes of a chain, each of another operator. */
const OPERATORS = ['alpha', 'beta'] as const

type Opening = {
  readonly codes: readonly SimulatedCode[]
  readonly network: Network
  readonly random: Random
  /** Is part of the addresses of nodes, so that nothing a process stores about a node is used in another world. */
  readonly worldId: number
}

/** Starts the blockchains of these codes, each with some empty blocks and two nodes. */
export function createChains({ codes, network, random, worldId }: Opening): SimulatedChain[] {
  return codes.map((code) => {
    const family = familyOf(code, network)
    const height = random.between(3, family.mostFirstBlocks)
    const chain = family.open(WORLD_BEGINS / 1000 - 3600)
    for (let n = 0; n < height; n += 1) chain.mine(WORLD_BEGINS / 1000 - 3500 + 12 * n, [])
    chain.finalize(chain.head().height - (family.finalBehind ?? 3))
    const signed = family.openPool?.(vaultOf(family.name), () => made.mempool) ?? NOTHING_SIGNED
    const nodes = OPERATORS.map((operator, at): SimulatedNode => ({
      name: `${code}-${operator}`,
      url: `https://${code.toLowerCase()}-${worldId}.${operator}.example/`,
      family,
      isFirst: at === 0,
      chain,
      signed,
      waiting: () => made.mempool,
      fault: null,
      shown: null,
    }))
    const { id = 0 } = findBlockchain(code) ?? {}
    const made: SimulatedChain = {
      ...{ id, code, family, chain, nodes, signed },
      mempool: [],
      broken: null,
      isHalted: false,
    }
    return made
  })
}
