import { describe, expect, it } from 'vitest'
import type { BlockFacts, TransferFilter } from '../../../adapter.ts'
import { sessionAlone } from '../../../chain.ts'
import { addressText } from '../../../solana/addresses/addresses.ts'
import { readBlocks } from '../../../solana/blocks/blocks.ts'
import { transfersIn, readScopeOf } from '../../../solana/blocks/transfers.ts'
import { readTransaction } from '../../../solana/encoding/wire.ts'
import { fakeNode } from '../../fake-node.ts'
import { MUTATIONS } from '../mutations.ts'
import { type Random, randomOf } from '../random.ts'
import { chain, isOurs, OURS, type SolanaFake, solanaFakes, trueTransfer } from './transactions.ts'

const filter: TransferFilter = { assets: new Set(chain.assets.map(({ id }) => id)), matches: isOurs }
const block = { height: 1_000, hash: 'aa', parentHash: 'bb', minedAt: new Date(1_700_000_000_000) }

function creditOf({ tx }: SolanaFake): Record<number, bigint> {
  const moved = transfersIn(readScopeOf(chain, filter), block, readTransaction(tx)).filter(({ to }) => to === OURS)
  const credits: Record<number, bigint> = {}
  for (const { assetId, units } of moved) credits[assetId] = (credits[assetId] ?? 0n) + units
  return credits
}

describe('fake deposits on Solana', () => {
  it.each(Object.entries(solanaFakes))('%s brings nothing but what truly arrived', (id, forge) => {
    for (let seed = 0; seed < MUTATIONS; seed += 1) {
      const forged = forge(randomOf(seed))
      expect([id, seed, creditOf(forged)]).toEqual([id, seed, forged.owed])
    }
  })

  it('S9 reads no slot that is not final, whatever forks a node holds above', async () => {
    for (let seed = 0; seed < MUTATIONS; seed += 1) {
      const random = randomOf(seed)
      const [genesis, final, fork] = [blockHash(random), trueTransfer(random), trueTransfer(random)]
      const slot = 1_000 + random.below(1_000)
      const asked = new Set<unknown>()
      const slots = (...params: readonly unknown[]) => {
        asked.add(commitmentIn(params))
        return commitmentIn(params) === 'finalized' ? [slot] : [slot, slot + 1]
      }
      const node = fakeNode({
        getBlocks: slots,
        getBlock: (at: number, ...params: readonly unknown[]) => {
          asked.add(commitmentIn(params))
          const isFinal = commitmentIn(params) === 'finalized'
          const head = { blockhash: blockHash(random), previousBlockhash: genesis, parentSlot: at - 1 }
          return { ...head, blockTime: 1_700_000_000, transactions: [(isFinal ? final : fork).tx] }
        },
      })
      const facts = await readBlocks(sessionAlone(chain, node), { from: slot, to: slot + 5 }, filter)
      expect(creditsOf(facts)).toEqual(Object.values(final.owed))
      expect([...asked]).toEqual(['finalized'])
    }
  })
})

function creditsOf(facts: readonly BlockFacts[]): bigint[] {
  return facts.flatMap(({ transfers }) => transfers.filter(({ to }) => to === OURS).map(({ units }) => units))
}

function commitmentIn(params: readonly unknown[]): unknown {
  return (params.at(-1) as { commitment?: unknown }).commitment
}

function blockHash(random: Random): string {
  return addressText(Buffer.from(random.hex(32).slice(2), 'hex'))
}
