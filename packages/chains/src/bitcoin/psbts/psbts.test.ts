import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { SigHash, Transaction } from '@scure/btc-signer'
import { Psbt } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainIn } from '../../chain.ts'
import { readTransaction } from '../encoding/wire.ts'
import { bitcoinDeposits } from '../addresses/derivation.ts'
import { buildPsbt } from './build.ts'
import { checkPsbt } from './check.ts'
import { sizesOf } from './sizes.ts'
import type { Plan } from './transaction.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
const chain = chainIn('mainnet', definition)
const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)
const accountAt = (purpose: 84 | 49) => HDKey.fromMasterSeed(seed).derive(`m/${purpose}'/0'/0'`)
const sourceAt = (purpose: 84 | 49) =>
  bitcoinDeposits.check({ xpub: accountAt(purpose).publicExtendedKey, path: `m/${purpose}'/0'/0'` }, 'mainnet')
const COLD = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ELSEWHERE = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'

const planOf = (purpose: 84 | 49 = 84): Plan => ({
  source: sourceAt(purpose),
  inputs: [7, 9, 7].map((index, vout) => ({ txId: `${vout + 1}`.repeat(64), vout, units: 40_000n, index })),
  to: COLD,
  fee: 1_500n,
})
const plan = planOf()

/** Signs with the account's own key, as a wallet that knows it does. */
function signed(text: string, purpose: 84 | 49 = 84, sighash: number = SigHash.ALL): Transaction {
  const tx = Transaction.fromPSBT(Buffer.from(text, 'base64'), { allowUnknownOutputs: true })
  for (let at = 0; at < tx.inputsLength; at += 1) {
    tx.updateInput(at, { sighashType: sighash })
    const index = tx.getInput(at).bip32Derivation?.[0]?.[1].path.at(-1) ?? 0
    tx.signIdx(accountAt(purpose).deriveChild(0).deriveChild(index).privateKey ?? never(), at, [sighash])
  }
  return tx
}
const textOf = (tx: Transaction) => Buffer.from(tx.toPSBT(0)).toString('base64')
const verdict = (text: string, planned = plan) => {
  const checked = checkPsbt(chain, planned, text)
  return checked.kind === 'refused' ? checked.why.code : checked.kind
}

describe('bitcoin.psbts', () => {
  it.each([84, 49] as const)('takes back what another library signed and finalized, m/%s’', (purpose) => {
    const planned = planOf(purpose)
    const unsigned = buildPsbt(chain, planned)
    const theirs = Psbt.fromBase64(unsigned.psbt)
    for (const [at, { index }] of planned.inputs.entries()) {
      const { privateKey, publicKey } = accountAt(purpose).deriveChild(0).deriveChild(index)
      theirs.signInput(at, {
        publicKey: publicKey ?? never(),
        sign: (hash: Uint8Array) => secp256k1.sign(hash, privateKey ?? never(), { prehash: false }),
      })
    }
    const open = checkPsbt(chain, planned, theirs.toBase64())
    const final = checkPsbt(chain, planned, theirs.finalizeAllInputs().toBase64())
    const transaction = theirs.extractTransaction()
    expect(final).toEqual(open)
    expect(open).toEqual({ kind: 'signed', txId: transaction.getId(), raw: new Uint8Array(transaction.toBuffer()) })
    expect(unsigned.txId).toBe(transaction.getId())
    const { base, input } = sizesOf(chain, planned)
    const planning = base + 3n * input
    expect(planning).toBeGreaterThanOrEqual(transaction.virtualSize())
    expect(planning).toBeLessThan(transaction.virtualSize() + 12)
  })

  it('pays the inputs minus the fee to its one output, and shows both to the signer', () => {
    const tx = Psbt.fromBase64(buildPsbt(chain, plan).psbt)
    expect(tx.txOutputs).toMatchObject([{ address: COLD, value: 118_500n }])
    expect(tx.txInputs.map(({ sequence }) => sequence)).toEqual([0xfffffffd, 0xfffffffd, 0xfffffffd])
    expect(tx.data.inputs[1]).toMatchObject({ witnessUtxo: { value: 40_000n }, bip32Derivation: [{ path: 'm/0/9' }] })
  })

  it.each([
    ['another output', { ...plan, to: ELSEWHERE }, 'OTHER_OUTPUT'],
    ['another fee', { ...plan, fee: 1_501n }, 'OTHER_FEE'],
    ['an input less', { ...plan, inputs: plan.inputs.slice(1) }, 'OTHER_INPUTS'],
    [
      'another input',
      { ...plan, inputs: plan.inputs.map((one, at) => (at === 1 ? { ...one, vout: 5 } : one)) },
      'OTHER_INPUTS',
    ],
    [
      'an input that claims to hold more',
      {
        ...plan,
        fee: plan.fee + 1n,
        inputs: plan.inputs.map((one, at) => (at === 1 ? { ...one, units: 40_001n } : one)),
      },
      'OTHER_FEE',
    ],
  ])('refuses a signed transaction with %s', (_what, other, code) => {
    expect(verdict(textOf(signed(buildPsbt(chain, other).psbt)))).toBe(code)
  })

  it.each([SigHash.NONE, SigHash.SINGLE, SigHash.ALL_ANYONECANPAY])(
    'refuses a signature of less than all: %s',
    (one) => {
      const single = { ...plan, inputs: plan.inputs.slice(0, 1) }
      expect(verdict(textOf(signed(buildPsbt(chain, single).psbt, 84, one)), single)).toBe('OTHER_SIGHASH')
    },
  )

  it('refuses what is not signed, not by its own key, or no PSBT', () => {
    const { psbt } = buildPsbt(chain, plan)
    expect(verdict(psbt)).toBe('NOT_SIGNED')
    const forged = signed(psbt)
    const [key, signature] = forged.getInput(1).partialSig?.[0] ?? never()
    const other = Transaction.fromPSBT(Buffer.from(psbt, 'base64'))
    for (const at of [0, 1, 2]) other.updateInput(at, { partialSig: [[key, signature]] }, true)
    expect(verdict(textOf(other))).toBe('NOT_SIGNED')
    const swapped = signed(psbt)
    const [ownKey] = swapped.getInput(0).partialSig?.[0] ?? never()
    const wrong = Transaction.fromPSBT(Buffer.from(psbt, 'base64'))
    wrong.updateInput(0, { partialSig: [[ownKey, signature]] }, true)
    expect(verdict(textOf(wrong))).toBe('WRONG_SIGNATURE')
    for (const text of ['', 'cHNidP8=', 'hello', psbt.slice(0, 100), Buffer.from('psbt').toString('base64')]) {
      expect(verdict(text)).toBe('UNREADABLE')
    }
  })

  it('lets no byte of what came back decide where money goes', () => {
    const good = Buffer.from(textOf(signed(buildPsbt(chain, plan).psbt)), 'base64')
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const forged = Buffer.from(good)
        forged[at] = (forged[at] ?? 0) ^ mask
        const checked = checkPsbt(chain, plan, forged.toString('base64'))
        if (checked.kind === 'refused') return
        const { outputs, inputs } = readTransaction(Buffer.from(checked.raw))
        expect(outputs).toMatchObject([{ units: 118_500n }])
        expect(Buffer.from(outputs[0]?.script ?? []).toString('hex')).toBe(
          '0014751e76e8199196d454941c45d1b3a323f1433bd6',
        )
        expect(inputs).toHaveLength(3)
      }),
      { numRuns: 300 },
    )
  })
})

function never(): never {
  throw new Error('This cannot be')
}
