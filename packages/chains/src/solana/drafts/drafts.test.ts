import { SANDBOX_SOLANA_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { solana } from '@kassa/primitives/chains/definitions/solana.ts'
import { readSolanaSignature } from '@kassa/keys/solana/address.ts'
import { readMessage, readSigned, signedTransaction, writeMessage } from '@kassa/keys/solana/message.ts'
import { COMPUTE_PROGRAM, isPlain, littleEndian, movementOf, transferCoin } from '@kassa/keys/solana/movement.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainSession } from '../../adapter.ts'
import { chainIn, sessionAlone } from '../../chain.ts'
import { NodeRejected } from '../../errors.ts'
import { connect } from '../../node/client.ts'
import type { SendIntent } from '../../send-intent.ts'
import { testPayer } from '../../testing/solana-chain.ts'
import { type LocalSolana, openLocalSolana } from '../../testing/solana-node/chain.ts'
import { serveLocalSolana } from '../../testing/solana-node/rpc-node.ts'
import { openTokenAccount, signTransaction, transferToken } from '../../testing/solana-node/transactions.ts'
import { solanaDrafts } from './drafts.ts'
import { computeLimit, computePrice, feeOf } from './rules.ts'

const [COIN, USDC] = [6, 10]
const MINT = SANDBOX_SOLANA_TOKENS.usdc
/** What an account without data must hold, and one of the token program. */
const [LEAST, OPENING] = [890_880n, 2_039_280n]
const chain = chainIn('sandbox', solana)
const [payer, ours, poor] = [testPayer('payer'), testPayer('ours'), testPayer('poor')]

let local: LocalSolana
let node: Awaited<ReturnType<typeof serveLocalSolana>>
let session: ChainSession

beforeAll(async () => {
  local = openLocalSolana({ payer: payer.address })
  node = await serveLocalSolana(local)
  session = sessionAlone(chain, connect({ id: 1, url: node.url }))
})
afterAll(() => node.stop())
beforeEach(() => local.mine(1))

const pays = (assetId: number, units: bigint, to = ours.address): SendIntent => ({
  kind: 'transfer',
  assetId,
  to,
  units,
})
const draft = (intent: SendIntent, from = payer.address) => solanaDrafts.draft(session, { from, intent })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOf = (text: string | null) => Uint8Array.from(Buffer.from(text ?? '', 'hex'))

/** What a page does with a draft and a wallet that is Solana's own library. */
async function signed(rawData: string | null, { seed } = payer) {
  const { keyPair } = await createKeyPairSignerFromPrivateKeyBytes(seed)
  const unsigned = getTransactionDecoder().decode(signedTransaction(bytesOf(rawData), new Uint8Array(64)))
  const whole = Uint8Array.from(getTransactionEncoder().encode(await partiallySignTransaction([keyPair], unsigned)))
  const read = readSigned(whole)
  if (!read) throw new Error('It has no one signature')
  return { rawData: hex(read.message), signature: hex(read.signature) }
}

const fund = (lamports: bigint) =>
  local.send(signTransaction(payer, local.head().hash, [transferCoin(payer.address, poor.address, lamports)]))

describe('solana.drafts', () => {
  it('writes what an unmodified library signs, reads it again as it was asked for, and a block takes it', async () => {
    for (const intent of [pays(COIN, 5_000_000n), pays(USDC, 49_000_000n), pays(USDC, 1n)]) {
      const written = await draft(intent)
      expect(written).toMatchObject({ obstacle: null })
      const read = solanaDrafts.read(chain, await signed(written.rawData))
      expect(read).toMatchObject({ from: payer.address, intent })
      if (read === null) throw new Error('It was not read')
      expect(readSolanaSignature(read.tx.txId)).not.toBeNull()
      expect(await solanaDrafts.broadcast(session, read.tx)).toBe('accepted')
      expect(local.find(read.tx.txId)?.executed.error).toBeNull()
      expect(await solanaDrafts.broadcast(session, read.tx)).toBe('known')
    }
  })

  it('costs the signature, and the account that it opens for the first who is paid in a token', async () => {
    const first = testPayer('never paid').address
    expect(await draft(pays(USDC, 1n, first))).toMatchObject({ fee: 5_000n + OPENING })
    expect(await draft(pays(COIN, LEAST, first))).toMatchObject({ fee: 5_000n })
  })

  it('names why it cannot be sent', async () => {
    expect(await draft(pays(COIN, 10n ** 19n))).toMatchObject({ rawData: null, obstacle: 'short_of_asset' })
    expect(await draft(pays(USDC, 10n ** 18n))).toMatchObject({ rawData: null, obstacle: 'short_of_asset' })
    const everywhere = { rawData: null, held: 0n }
    expect(await draft(pays(COIN, 1n), testPayer('nobody').address)).toMatchObject({
      ...everywhere,
      obstacle: 'short_of_asset',
    })
    // An address that was never paid cannot hold less than the network asks of every account.
    expect(await draft(pays(COIN, LEAST - 1n, testPayer('unpaid').address))).toMatchObject({ obstacle: 'would_fail' })
  })

  it('leaves an account empty, or with what every account must hold', async () => {
    fund(10n * LEAST)
    const held = 10n * LEAST
    const all = held - 5_000n
    expect(await draft(pays(COIN, all), poor.address)).toMatchObject({ obstacle: null, held })
    expect(await draft(pays(COIN, all + 1n), poor.address)).toMatchObject({ obstacle: 'short_of_coin' })
    expect(await draft(pays(COIN, all - LEAST + 1n), poor.address)).toMatchObject({ obstacle: 'short_of_coin' })
    expect(await draft(pays(COIN, all - LEAST), poor.address)).toMatchObject({ obstacle: null })
  })

  it('asks for the coins that a token payment costs', async () => {
    const move = { from: payer.address, to: poor.address, units: 9n, decimals: 6 }
    local.send(
      signTransaction(payer, local.head().hash, [
        openTokenAccount(payer.address, poor.address, MINT),
        transferToken(MINT, move),
      ]),
    )
    const to = testPayer('opened by poor').address
    expect(await draft(pays(USDC, 10n, to), poor.address)).toMatchObject({ obstacle: 'short_of_asset' })
    expect(await draft(pays(USDC, 9n, to), poor.address)).toMatchObject({ obstacle: null })
    expect(await draft(pays(USDC, 9n, to), testPayer('broke').address)).toMatchObject({ obstacle: 'short_of_asset' })
  })

  it('names what the network refuses: a late signature, a stranger’s, a payment that fails', async () => {
    const late = await signed((await draft(pays(COIN, LEAST))).rawData)
    const taken = await signed((await draft(pays(COIN, LEAST + 1n))).rawData)
    const strange = await signed((await draft(pays(COIN, LEAST + 2n))).rawData)
    const [lateTx, takenTx] = [late, taken].map((one) => solanaDrafts.read(chain, one)?.tx)
    const strangeTx = solanaDrafts.read(chain, { ...strange, signature: '01'.repeat(64) })?.tx
    if (!lateTx || !takenTx || !strangeTx) throw new Error('It was not read')
    expect(await solanaDrafts.broadcast(session, strangeTx)).toMatchObject({
      code: 'other',
      reason: 'SignatureFailure',
    })
    expect(await solanaDrafts.broadcast(session, takenTx)).toBe('accepted')
    local.mine(151)
    expect(await solanaDrafts.broadcast(session, lateTx)).toEqual({ code: 'expired', reason: 'BlockhashNotFound' })
    // It is in a block, however old that is by now.
    expect(await solanaDrafts.broadcast(session, takenTx)).toBe('known')
  })

  it('pays for being served sooner what others paid, and nothing where a node does not say', async () => {
    const answering = (fees: () => unknown): ChainSession => ({
      ...session,
      node: {
        ...session.node,
        call: async (call, wishes) =>
          'method' in call && call.method === 'getRecentPrioritizationFees' ? fees() : session.node.call(call, wishes),
      },
    })
    const written = async (fees: () => unknown) => {
      const { rawData, fee } = await solanaDrafts.draft(answering(fees), {
        from: payer.address,
        intent: pays(COIN, LEAST),
      })
      const message = readMessage(bytesOf(rawData))
      return { fee, isPlain: message !== null && isPlain(message) }
    }
    const limit = 50_540n
    expect(await written(() => [{ slot: 1, prioritizationFee: 100_000 }])).toEqual({
      fee: 5_000n + limit / 10n,
      isPlain: true,
    })
    const none = () => {
      throw new NodeRejected('Method not found', -32_601)
    }
    expect(await written(none)).toEqual({ fee: 5_000n, isPlain: true })
  })

  it('takes for known what a block holds, unless it failed there', async () => {
    const { rawData } = await draft(pays(USDC, 5n))
    const [limit, price, opening, transfer] = readMessage(bytesOf(rawData))?.instructions ?? []
    if (!limit || !price || !opening || !transfer) throw new Error('It has other parts')
    const much = { ...transfer, data: Uint8Array.of(12, ...littleEndian(10n ** 18n, 8), 6) }
    const { hash: blockhash } = local.head()
    const bytes = writeMessage({ payer: payer.address, blockhash, instructions: [opening, much] })
    const failing = solanaDrafts.read(chain, { rawData: hex(bytes), signature: hex(ed25519.sign(bytes, payer.seed)) })
    if (!failing) throw new Error('It was not read')
    local.send(failing.tx.raw)
    expect(await solanaDrafts.broadcast(session, failing.tx)).toMatchObject({
      code: 'other',
      reason: expect.stringContaining('InstructionError'),
    })
  })

  it('reads nothing but one payment with one signature', async () => {
    const good = await signed((await draft(pays(USDC, 1_000n))).rawData)
    expect(solanaDrafts.read(chain, good)).not.toBeNull()
    const message = readMessage(bytesOf(good.rawData))
    const [limit, price, opening, transfer] = message?.instructions ?? []
    if (!message || !limit || !price || !opening || !transfer) throw new Error('It has other parts')
    const withParts = (...instructions: readonly (typeof opening)[]) => {
      const written = writeMessage({ ...message, instructions })
      return { rawData: hex(written), signature: hex(ed25519.sign(written, payer.seed)) }
    }
    const memo = { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Uint8Array.of(65) }
    const other = openTokenAccount(payer.address, poor.address, MINT)
    const coin = transferCoin(payer.address, ours.address, 1n)
    expect(solanaDrafts.read(chain, withParts(memo, opening, transfer, memo))).not.toBeNull()
    for (const bad of [
      { ...good, rawData: '' },
      { ...good, rawData: good.rawData.slice(0, -2) },
      { ...good, rawData: `${good.rawData}00` },
      { ...good, rawData: 'zz'.repeat(80) },
      { ...good, rawData: '00'.repeat(2500) },
      { ...good, signature: good.signature.slice(2) },
      withParts(limit, price),
      withParts(transfer),
      withParts(other, transfer),
      withParts(opening, transfer, transfer),
      withParts(opening, transfer, coin),
      withParts(coin, coin),
      withParts({ ...memo, program: ours.address }, coin),
      withParts({ ...transfer, data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0) }),
      withParts(transferCoin(payer.address, ours.address, 0n)),
    ]) {
      expect(solanaDrafts.read(chain, bad)).toBeNull()
    }
  })
})

describe('solana.message', () => {
  it('is read as it was written, in either form', () => {
    const instructions = [
      transferCoin(payer.address, ours.address, 7n),
      openTokenAccount(payer.address, ours.address, MINT),
    ]
    const legacy = writeMessage({ payer: payer.address, blockhash: ours.address, instructions })
    const read = readMessage(legacy)
    expect(read).toMatchObject({ payer: payer.address, blockhash: ours.address })
    expect(read?.instructions.map(({ program, data }) => [program, data])).toEqual(
      instructions.map(({ program, data }) => [program, data]),
    )
    expect(readMessage(Uint8Array.of(0x80, ...legacy, 0))).toEqual(read)
    expect(readMessage(Uint8Array.of(0x80, ...legacy, 1))).toBeNull()
    expect(readMessage(Uint8Array.of(0x81, ...legacy, 0))).toBeNull()
    // One length in two bytes where one would do, and a program at the place of the account that pays.
    expect(readMessage(Uint8Array.of(...legacy.slice(0, 3), 0x80 | (legacy[3] ?? 0), 0, ...legacy.slice(4)))).toBeNull()
    const program = legacy.length - 1 - 1 - 6 - 1 - 1
    expect(readMessage(legacy.with(program, 0))).toBeNull()
    expect(movementOf({ payer: payer.address, blockhash: ours.address, instructions: [] })).toBeNull()
  })
})

describe('solana.message isPlain', () => {
  const coin = transferCoin(payer.address, ours.address, 7n)
  const budget = (kind: number, value: bigint, bytes: number) => ({
    program: COMPUTE_PROGRAM,
    accounts: [],
    data: Uint8Array.of(kind, ...littleEndian(value, bytes)),
  })
  const isPlainWith = (...instructions: (typeof coin)[]) =>
    isPlain({ payer: payer.address, blockhash: ours.address, instructions: [...instructions, coin] })

  it('lets a page sign what costs little, and nothing else besides the payment', () => {
    const memo = { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Uint8Array.of(65) }
    expect(isPlainWith()).toBe(true)
    expect(isPlainWith(budget(2, 200_000n, 4), budget(3, 500_000n, 8))).toBe(true)
    expect(isPlainWith(budget(2, 200_000n, 4), budget(3, 500_001n, 8))).toBe(false)
    // Without a limit of its own it may use as much as the network grants.
    expect(isPlainWith(budget(3, 500_000n, 8))).toBe(false)
    expect(isPlainWith(budget(3, 1n, 8), budget(3, 1n, 8))).toBe(false)
    expect(isPlainWith(budget(1, 1n, 4))).toBe(false)
    expect(isPlainWith(memo)).toBe(false)
  })
})

describe('solana.drafts rules', () => {
  it('pays the middle of what others paid, within a limit', () => {
    expect(computePrice([])).toBe(0n)
    expect(computePrice([9n, 1n, 5n])).toBe(5n)
    expect(computePrice([10n ** 12n])).toBe(500_000n)
    expect(feeOf(200_000n, 500_000n)).toBe(105_000n)
    expect(feeOf(1n, 1n)).toBe(5_001n)
    expect(computeLimit(1_000n)).toBe(51_200n)
    expect(computeLimit(190_000n)).toBe(200_000n)
    // A node that does not say what was used.
    expect(computeLimit(0n)).toBe(200_000n)
  })
})
