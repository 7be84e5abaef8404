import { randomBytes } from 'node:crypto'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { jsonCall } from '../../node/client.ts'
import { type BitcoinProgram, startBitcoinNode } from './program.ts'

/** A local chain of Bitcoin, with a payer who owns all coins that can be spent on it. */
export type LocalBitcoin = {
  /** With the login in it. */
  readonly url: string
  readonly pid: number
  /** The output script of the payer. */
  readonly payer: Uint8Array
  readonly height: () => Promise<number>
  /** Mines blocks with the mempool, and returns the new height. */
  readonly mine: (blocks: number) => Promise<number>
  /** Mines one block whose new coins go to a script. */
  readonly mineTo: (script: Uint8Array) => Promise<number>
  /** Replaces the newest blocks by empty ones: what was in them waits again. */
  readonly reorganize: (depth: number) => Promise<number>
  /** The sum of the unspent outputs of a script, the payer's where absent, in satoshis. */
  readonly balance: (script?: Uint8Array) => Promise<bigint>
  /**
   * Signs and sends a transaction that then waits; null when the payer has less. `replaces` is one of the payer's own that
   * waits and spends the same coins.
   */
  send(payment: { to: Uint8Array; units: bigint; fee?: bigint; replaces?: SentPayment }): Promise<SentPayment | null>
  readonly stop: () => Promise<void>
}

/** A transaction of the payer, and the coins it spends. */
export type SentPayment = { readonly txId: string; readonly coins: readonly Coin[] }

type Coin = { readonly txId: string; readonly at: number; readonly units: bigint }

/** Blocks of 50 coins each that the payer owns; then as many as it takes until all of them can be spent. */
const FUNDED_BLOCKS = 25
const MATURITY = 100

/** A local node takes one satoshi for each byte; a payment of a few coins has some hundred. */
const FEE = 2_000n

/** Pays the reward of blocks to a script that returns true and belongs to no wallet. */
const NO_WALLET = Uint8Array.of(0x51)

/** Whole coins as nodes print them, with at most eight decimals. */
const DECIMALS = 8

/**
 * Starts a local chain from its folder. The node's own wallet is not used: the payer's key signs here, as a customer's
 * wallet does. Whatever a call returns for is on disk.
 */
export async function openLocalBitcoin(
  program: BitcoinProgram,
  folder: string,
  key: Uint8Array,
): Promise<LocalBitcoin> {
  const node = await startBitcoinNode(program, folder)
  const { script: payer } = p2wpkh(secp256k1.getPublicKey(key))
  const ask = (method: string, ...params: readonly unknown[]) =>
    node.client.call(jsonCall(method, ...params), { exactNumbers: true })
  const height = async () => Number(await ask('getblockcount'))
  /** Nodes write what they know to disk now and then only, but always before they count the coins there are. */
  const persist = async () => {
    await ask('gettxoutsetinfo')
    return height()
  }
  const generate = async (blocks: number, script: Uint8Array) => {
    await ask('generatetodescriptor', blocks, descriptorOf(script))
    return persist()
  }
  const coins = async (script: Uint8Array = payer) =>
    coinsIn(await ask('scantxoutset', 'start', [descriptorOf(script)]))

  const missing = FUNDED_BLOCKS - (await height())
  if (missing > 0) await generate(missing, payer)
  const unripe = FUNDED_BLOCKS + MATURITY - (await height())
  if (unripe > 0) await generate(unripe, NO_WALLET)

  return {
    url: node.url,
    pid: node.pid,
    payer,
    height,
    mine: (blocks) => generate(blocks, NO_WALLET),
    mineTo: (script) => generate(1, script),
    async reorganize(depth) {
      const from = (await height()) - depth + 1
      await ask('invalidateblock', await ask('getblockhash', from))
      // What differs in a block that is mined twice within a second: whom it pays.
      for (let left = depth; left > 0; left -= 1) await ask('generateblock', descriptorOf(nobodyElse()), [])
      return persist()
    },
    balance: async (script) => (await coins(script)).reduce((sum, { units }) => sum + units, 0n),
    async send({ to, units, fee = FEE, replaces }) {
      const waiting = new Set(replaces ? [] : await spentByWaiting(ask))
      const free = replaces?.coins ?? (await coins()).filter(({ txId, at }) => !waiting.has(`${txId}:${at}`))
      const chosen = choose(free, units + fee)
      if (!chosen) return null
      const tx = new Transaction()
      for (const { txId, at, units: amount } of chosen) {
        tx.addInput({ txid: txId, index: at, witnessUtxo: { script: payer, amount }, sequence: 0xfffffffd })
      }
      tx.addOutput({ script: to, amount: units })
      const change = chosen.reduce((sum, coin) => sum + coin.units, 0n) - units - fee
      if (change > 0n) tx.addOutput({ script: payer, amount: change })
      tx.sign(key)
      tx.finalize()
      await ask('sendrawtransaction', tx.hex)
      return { txId: tx.id, coins: chosen }
    },
    stop: node.stop,
  }
}

type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>

/** Coins that transactions spend which are not mined yet. */
async function spentByWaiting(ask: Ask): Promise<string[]> {
  const ids = (await ask('getrawmempool')) as string[]
  const transactions = await Promise.all(ids.map(async (id) => String(await ask('getrawtransaction', id, false))))
  return transactions.flatMap((hex) => {
    const tx = Transaction.fromRaw(Buffer.from(hex, 'hex'), { allowUnknownOutputs: true, disableScriptCheck: true })
    return Array.from({ length: tx.inputsLength }, (_, at) => {
      const { txid, index } = tx.getInput(at)
      return `${Buffer.from(txid ?? []).toString('hex')}:${index}`
    })
  })
}

/** The first coins that are enough, the largest first; null when all of them are not. */
function choose(coins: readonly Coin[], units: bigint): readonly Coin[] | null {
  const chosen: Coin[] = []
  let sum = 0n
  for (const coin of coins.toSorted((a, b) => (a.units > b.units ? -1 : 1))) {
    if (sum >= units) break
    chosen.push(coin)
    sum += coin.units
  }
  return sum >= units ? chosen : null
}

/** The one place where decimals of a node are read: a local chain's coins are few enough for a number to hold exactly. */
function coinsIn(answer: unknown): Coin[] {
  const { unspents } = answer as { unspents: { txid: string; vout: number; amount: number }[] }
  return unspents.map(({ txid, vout, amount }) => ({
    txId: txid,
    at: vout,
    units: BigInt(Math.round(amount * 10 ** DECIMALS)),
  }))
}

function descriptorOf(script: Uint8Array): string {
  return `raw(${Buffer.from(script).toString('hex')})`
}

function nobodyElse(): Uint8Array {
  return Uint8Array.of(0x6a, 8, ...randomBytes(8))
}
