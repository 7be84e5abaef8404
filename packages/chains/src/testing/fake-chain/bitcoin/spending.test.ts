import { btc } from '@kassa/primitives/chains/definitions/btc.ts'
import { describe, expect, it } from 'vitest'

import { bitcoinAdapter } from '../../../bitcoin/adapter.ts'
import { chainIn } from '../../../chain.ts'
import { accountNamed, signPsbt } from '../../offline-signer.ts'
import { createFakeChain } from '../block-tree.ts'
import { answerBitcoin } from './answers.ts'
import { bitcoinGenesis, sealBitcoin } from './blocks.ts'
import { spendBitcoin, virtualSize } from './spending.ts'
import { payBitcoin, withoutDoubleSpends } from './transactions.ts'

const chain = chainIn('sandbox', btc)
const account = accountNamed('fake chain')
const source = bitcoinAdapter.deposits.check(account.publicExtendedKey, 'sandbox')
const address = bitcoinAdapter.deposits.derive(chain, source, 0)
const COLD = bitcoinAdapter.addresses.format(chain, Uint8Array.of(0, 20, ...Buffer.alloc(20, 9)))
const [UNITS, FEE] = [10_000n, 300n]

const paid = payBitcoin('sandbox', { coin: 'one', legs: [{ to: address, units: UNITS }] })
const genesis = bitcoinGenesis('sandbox')
const options = { chainId: 0, genesisHash: genesis.hash, genesisBytes: genesis.bytes, startTime: 1_000 }

/** The bytes of a batch that sweeps the payment. */
async function signed(fee: bigint): Promise<Uint8Array> {
  const plan = { source, inputs: [{ txId: paid.hash, vout: 0, units: UNITS, index: 0 }], to: COLD, fee }
  const { psbt } = await bitcoinAdapter.psbts.build(chain, plan)
  const keyAt = (at: number) => account.deriveChild(0).deriveChild(at).privateKey ?? new Uint8Array()
  const checked = await bitcoinAdapter.psbts.check(chain, plan, signPsbt(psbt, keyAt))
  if (checked.kind === 'refused') throw new Error(checked.why.code)
  return checked.raw
}

describe('spendBitcoin', () => {
  it('moves what its inputs hold to its outputs, less the fee', async () => {
    const tx = spendBitcoin('sandbox', await signed(FEE), [paid])
    expect(tx?.moves.map(({ from, to, units }) => [from === address, to === COLD, units])).toEqual([
      [true, false, UNITS],
      [false, true, UNITS - FEE],
    ])
    expect([tx?.fee, tx?.spends]).toEqual([FEE, [`${paid.hash}:0`]])
    // 10 bytes around, 31 of the output, 41 of the input, and a quarter of the witness (BIP-141).
    expect(tx && virtualSize(tx)).toBeGreaterThanOrEqual(109n)
    expect(tx && virtualSize(tx)).toBeLessThanOrEqual(111n)
  })

  it('knows nothing that was made nowhere', async () => {
    expect(spendBitcoin('sandbox', await signed(FEE), [])).toBeNull()
  })

  it('is mined once, of several that spend the same, and not before what it spends', async () => {
    const [cheap, dear] = [await signed(FEE), await signed(2n * FEE)].map((raw) => spendBitcoin('sandbox', raw, [paid]))
    if (!cheap || !dear) throw new Error('Nothing was spent')
    expect(withoutDoubleSpends([], [cheap, dear])).toEqual([])
    expect(withoutDoubleSpends([], [paid, cheap, dear])).toEqual([paid, cheap])
    expect(withoutDoubleSpends([{ transactions: [paid, dear] }], [cheap])).toEqual([])
  })

  it('leaves an output that nodes call spent, mined or waiting', async () => {
    const tx = spendBitcoin('sandbox', await signed(FEE), [paid])
    if (!tx) throw new Error('Nothing was spent')
    const fake = createFakeChain({ ...options, hasFinality: false, seal: sealBitcoin })
    fake.mine(2_000, [paid])
    const isUnspent = (waiting: readonly (typeof tx)[]) =>
      answerBitcoin({ view: fake.view(), waiting }, 'gettxout', [paid.hash, 0, true]) !== null
    expect([isUnspent([]), isUnspent([tx])]).toEqual([true, false])
    fake.mine(3_000, [tx])
    expect(isUnspent([])).toBe(false)
  })
})
