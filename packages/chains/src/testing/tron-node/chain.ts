import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fromHex, toHex } from '../../tron/encoding/hex.ts'
import { blockId } from '../../tron/encoding/block-id.ts'
import { makeGenesis } from './genesis.ts'
import { checkSent, type SendRefusal } from './check-transaction.ts'
import { type Executed, executeTransaction, readSent, type SentText } from './transactions.ts'
import { startVirtualMachine, type VirtualMachine } from './virtual-machine.ts'

/** A block as the node keeps it. */
export type Block = {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
  readonly minedAt: Date
  /** Counts the branches, so that a block mined again has another id. */
  readonly version: number
  readonly executed: readonly Executed[]
}

/**
 * A local chain of TRON: it mines a block for each transaction, and otherwise stands still. It knows transfers of TRX and calls
 * of contracts.
 */
export type LocalTron = {
  readonly chainId: number
  machine(): VirtualMachine
  block(height: number): Block | undefined
  head(): Block
  find(txId: string): { readonly block: Block; readonly executed: Executed } | undefined
  /** Checks a signed transaction as a node does and mines it in a block of its own. */
  send(text: SentText): Promise<SendRefusal | { readonly txId: string }>
  mine(blocks: number): Promise<void>
  /** Takes the newest blocks back and mines their transactions again on another branch, in one block and empty ones. */
  reorganize(depth: number): Promise<void>
}

export type LocalTronOptions = {
  readonly chainId: number
  /** The id of block 0 of a public network that it stands for; otherwise the chain id alone. */
  readonly genesisHash?: string | undefined
  /** 20 bytes of the account that owns all TRX and all tokens. */
  readonly payer: Uint8Array
  /** Where the blocks are before, one line each; only in memory when absent. */
  readonly file?: string
  readonly now?: () => Date
}

type Line = { readonly minedAt: number; readonly version: number; readonly transactions: readonly SentText[] }

/** Digits of block 0's id that are the chain id (TIP-474). */
const CHAIN_ID_DIGITS = 8

const FIRST_VERSION = 31

/** Empty blocks of a new chain: more than the deepest reorganisation one can ask for. */
const FIRST_BLOCKS = 70

/** Opens a chain from its file, or makes a new one. What `send` and `mine` return for is in the file. */
export async function openLocalTron(options: LocalTronOptions): Promise<LocalTron> {
  const { chainId, file, now = () => new Date() } = options
  const lines = file !== undefined && existsSync(file) ? readLines(file) : []
  let machine = await startVirtualMachine()
  let blocks = [await genesisBlock(machine, options)]
  let version = FIRST_VERSION
  const queue = oneAtATime()

  const seal = async (line: Line): Promise<Block> => {
    const parent = blocks.at(-1)
    if (!parent) throw new Error('There is no block 0')
    const place = { height: parent.height + 1, minedAt: new Date(line.minedAt) }
    const executed: Executed[] = []
    for (const text of line.transactions) executed.push(await executeTransaction(machine, readSent(text), place))
    const { height, minedAt } = place
    const hash = idOf({ height, minedAt, parentHash: parent.hash, version: line.version })
    const block = { ...place, hash, parentHash: parent.hash, version: line.version, executed }
    blocks.push(block)
    return block
  }
  const add = async (transactions: readonly SentText[]): Promise<Block> => {
    const minedAt = Math.max(now().getTime(), (blocks.at(-1)?.minedAt.getTime() ?? 0) + 1)
    const line = { minedAt, version, transactions }
    const block = await seal(line)
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`, { flush: true })
    return block
  }
  const rebuild = async (before: readonly Line[]) => {
    machine = await startVirtualMachine()
    blocks = [await genesisBlock(machine, options)]
    for (const line of before) await seal(line)
  }
  for (const line of lines) await seal(line)
  version = lines.at(-1)?.version ?? FIRST_VERSION
  while (blocks.length <= FIRST_BLOCKS) await add([])

  const find: LocalTron['find'] = (txId) => {
    for (const block of blocks.toReversed()) {
      const executed = block.executed.find(({ sent }) => sent.txId === txId)
      if (executed) return { block, executed }
    }
    return undefined
  }
  return {
    chainId,
    machine: () => machine,
    block: (height) => blocks[height],
    head: () => blocks.at(-1) ?? fail(),
    find,
    send: (text) =>
      queue(async () => {
        const sent = readSent(text)
        const isKnown = find(sent.txId) !== undefined
        const refusal = await checkSent(sent, { machine, blocks, isKnown, now: now() })
        if (refusal) return refusal
        await add([text])
        return { txId: sent.txId }
      }),
    mine: (count) =>
      queue(async () => {
        for (let at = 0; at < count; at += 1) await add([])
      }),
    reorganize: (depth) =>
      queue(async () => {
        const left = blocks.slice(-depth)
        const before = blocks.slice(1, -depth).map(lineOf)
        version += 1
        await rebuild(before)
        if (file !== undefined) replaceFile(file, before)
        await add(left.flatMap((block) => lineOf(block).transactions))
        for (let at = 1; at < left.length; at += 1) await add([])
      }),
  }
}

function lineOf({ minedAt, version, executed }: Block): Line {
  const transactions = executed.map(({ sent }) => ({ raw_data_hex: toHex(sent.bytes), signature: sent.signatures }))
  return { minedAt: minedAt.getTime(), version, transactions }
}

/** A line that a crash cut off was never promised to anybody. */
function readLines(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Line)
}

function replaceFile(file: string, lines: readonly Line[]): void {
  writeFileSync(`${file}.unfinished`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true })
  renameSync(`${file}.unfinished`, file)
}

async function genesisBlock(
  machine: VirtualMachine,
  { chainId, genesisHash, payer }: LocalTronOptions,
): Promise<Block> {
  await makeGenesis(machine, payer)
  const hash = genesisHash ?? chainId.toString(16).padStart(CHAIN_ID_DIGITS, '0').padStart(64, '0')
  const minedAt = new Date(0)
  return { height: 0, hash, parentHash: '0'.repeat(64), minedAt, version: 0, executed: [] }
}

function idOf({ height, minedAt, parentHash, version }: Omit<Block, 'hash' | 'executed'>): string {
  return blockId({
    timestamp: BigInt(minedAt.getTime()),
    txTrieRoot: new Uint8Array(32),
    parentHash: fromHex(parentHash),
    number: BigInt(height),
    witnessId: 0n,
    witnessAddress: new Uint8Array(),
    version: BigInt(version),
    accountStateRoot: new Uint8Array(),
  })
}

/** One piece of work at a time, in the order of the calls; a failed one does not hold up the next. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

function fail(): never {
  throw new Error('There is no block 0')
}
