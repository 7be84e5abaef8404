import { sessionAlone } from '../../chain.ts'
import { describe, expect, it } from 'vitest'
import { evmAdapter } from '../../evm/adapter.ts'
import { toQuantity } from '../../evm/encoding/hex.ts'
import { chainOf } from '../anvil-chain.ts'
import { fakeNode } from '../fake-node.ts'
import { MUTATIONS } from './mutations.ts'
import { randomOf } from './random.ts'
import { forgeBlock } from './forged.ts'
import { honestAnswers } from './forged-node.ts'
import { BEFORE, owedIn, readAll } from './reading.ts'
import { transferLog, trueTransfer, word, worldOf } from './world.ts'

const world = worldOf(chainOf('ETH', 'mainnet'), randomOf(7))
const { random, ours, tokens, chain } = world
const parent = { height: BEFORE, hash: random.hex(32) }

describe('fakes in balances', () => {
  it('E9: a token that takes a fee is shown by what arrived, also while money leaves (W-5)', async () => {
    for (let at = 0; at < MUTATIONS; at += 1) {
      const [token, address] = [random.pick(tokens), random.pick(ours)]
      const [units, fee, left, before] = [
        random.units() + 1n,
        random.chance(0.5) ? 1n : 0n,
        random.units(),
        random.units() + 2n ** 140n,
      ]
      const leaves = random.chance(0.5)
      const logs = [
        transferLog(token.address, random.hex(20), address, units),
        ...(leaves ? [transferLog(token.address, address, random.hex(20), left)] : []),
        transferLog(token.address, random.hex(20), random.hex(20), random.units()),
      ]
      const block = forgeBlock(random, parent, [{ to: token.address, logs }])
      const after = before + units - fee - (leaves ? left : 0n)
      const balanceOf = (call: { to: string; data: string }, where: { blockHash: string }) => {
        expect([call.to.toLowerCase(), call.data]).toEqual([token.address, `0x70a08231${word(address).slice(2)}`])
        return word(where.blockHash === parent.hash ? before : after)
      }
      const node = fakeNode({ ...honestAnswers([block]), eth_call: balanceOf })
      const [facts] = await evmAdapter.reader.blocks(
        sessionAlone(chain, node),
        { from: BEFORE + 1, to: BEFORE + 1 },
        world.filter,
      )
      const incoming = facts?.transfers.filter(({ to }) => to.toLowerCase() === address.toLowerCase())
      expect(incoming?.map((one) => one.units)).toEqual([units])
      if (!facts) continue
      const received = await evmAdapter.received.units(
        sessionAlone(chain, node),
        { assetId: token.assetId, address },
        facts.block,
      )
      expect(received).toBe(units - fee)
    }
  })

  it('E24: rewards, tips and withdrawals of validators are no deposits', async () => {
    for (let at = 0; at < MUTATIONS; at += 1) {
      const withdrawals = ours.map((address, index) => ({
        index: toQuantity(index),
        validatorIndex: toQuantity(random.below(1_000_000)),
        address,
        amount: toQuantity(random.units()),
      }))
      const txs = random.chance(0.5) ? [trueTransfer(world)] : []
      const header = { miner: random.pick(ours), withdrawalsRoot: random.hex(32) }
      const block = forgeBlock(random, parent, txs, header)
      const node = fakeNode(honestAnswers([{ ...block, json: { ...block.json, withdrawals } }]))
      expect((await readAll(world, node, 1, 1)).credited).toEqual(owedIn([block]))
    }
  })
})
