import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { solana } from '@kassa/primitives/chains/definitions/solana.ts'
import { type Executed, type Machine, readSent, startMachine } from './machine.ts'

export type Block = {
  readonly slot: number
  readonly hash: string
  readonly parentHash: string
  readonly parentSlot: number
  readonly minedAt: Date
  /** Which branch it was made on: blocks of the same slot differ in their hash. */
  readonly branch: number
  readonly executed: readonly Executed[]
}

/**
 * A local chain of Solana: it makes a block for each transaction, and otherwise stands still. Every few slots one is skipped,
 * as on the real network.
 */
export type LocalSolana = {
  readonly genesisHash: string
  machine(): Machine
  /** Undefined where the slot was skipped or is still to come. */
  block(slot: number): Block | undefined
  head(): Block
  /** How many blocks it has. */
  blocks(): number
  find(txId: string): { readonly block: Block; readonly executed: Executed } | undefined
  /** Checks signed bytes as a node does and makes a block of them, with all that come along; the ids of their transactions. */
  send(...bytes: readonly Uint8Array[]): readonly string[]
  /**
   * Runs bytes on the newest block without making one, as they are or as if they named that block.
   * @throws Refused for what is no transaction
   */
  simulate(bytes: Uint8Array, options: Simulation): ReturnType<Machine['simulate']>
  mine(blocks: number): void
  /** Lets slots pass without a block. */
  skip(slots: number): void
  /** Takes the newest blocks back and makes their transactions again on another branch, in one block and empty ones. */
  reorganize(depth: number): void
}

type Simulation = { readonly isSigned: boolean; readonly isReplaced: boolean }

/** Why a node takes no transaction; `code` is that of its JSON-RPC error. */
export class Refused extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.code = code
  }
}

type Line = {
  readonly slot: number
  readonly minedAt: number
  readonly branch: number
  readonly transactions: readonly string[]
}

/** Blocks a transaction can still follow the one it names. */
const RECENT = 150

/** Empty blocks of a new chain: more than the deepest reorganisation one can ask for. */
const FIRST_BLOCKS = 70

const SKIP_EVERY = 9

const INVALID = -32_602
const SIMULATION_FAILED = -32_002

/** Opens a chain from its file, or makes a new one; only in memory without a file. What `send` and `mine` return for is in it. */
export function openLocalSolana({ payer, file }: { payer: string; file?: string }): LocalSolana {
  const genesisHash = solana.networks.sandbox.genesisHash ?? ''
  const lines = file !== undefined && existsSync(file) ? readLines(file) : []
  let machine = startMachine(payer)
  let blocks = [genesisBlock(genesisHash)]
  let bySlot = new Map<number, Block>([[0, genesisBlock(genesisHash)]])
  let byId = new Map<string, { block: Block; executed: Executed }>()
  let branch = 0
  let skipped = 0

  const head = (): Block => blocks.at(-1) ?? genesisBlock(genesisHash)
  const seal = (line: Line, executed: readonly Executed[]): void => {
    const parent = head()
    const { slot, minedAt } = line
    const hash = hashOf(`${parent.hash} ${slot} ${line.branch}`)
    const place = { slot, hash, parentHash: parent.hash, parentSlot: parent.slot, branch: line.branch }
    const block = { ...place, minedAt: new Date(minedAt), executed }
    blocks.push(block)
    bySlot.set(slot, block)
    for (const one of executed) byId.set(one.sent.txId, { block, executed: one })
  }
  const replay = (line: Line): void => {
    const done = line.transactions.map((text) => machine.execute(readSent(Buffer.from(text, 'base64')), line.slot))
    seal(
      line,
      done.filter((one) => typeof one !== 'string'),
    )
  }
  const nextSlot = (): number => {
    const slot = head().slot + 1 + skipped
    skipped = 0
    return slot % SKIP_EVERY === 0 ? slot + 1 : slot
  }
  const add = (executed: readonly Executed[], slot: number): void => {
    const minedAt = Math.max(Date.now(), head().minedAt.getTime())
    seal({ slot, minedAt, branch, transactions: [] }, executed)
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(lineOf(head()))}\n`, { flush: true })
  }
  const send = (...all: readonly Uint8Array[]): readonly string[] => {
    const slot = nextSlot()
    const known: string[] = []
    const executed: Executed[] = []
    for (const bytes of all) {
      const sent = read(bytes)
      known.push(sent.txId)
      if (byId.has(sent.txId)) continue
      if (!isRecent(sent.blockhash)) {
        throw new Refused(SIMULATION_FAILED, 'Transaction simulation failed: Blockhash not found')
      }
      const done = machine.execute(sent, slot)
      if (typeof done === 'string') throw new Refused(SIMULATION_FAILED, `Transaction simulation failed: ${done}`)
      executed.push(done)
    }
    if (executed.length > 0) add(executed, slot)
    return known
  }
  const isRecent = (blockhash: string) => blocks.slice(-RECENT).some(({ hash }) => hash === blockhash)
  const simulate: LocalSolana['simulate'] = (bytes, options) => {
    const sent = read(bytes, options)
    if (!options.isReplaced && !isRecent(sent.blockhash)) return { error: 'BlockhashNotFound', computeUnits: 0n }
    return byId.has(sent.txId) ? { error: 'AlreadyProcessed', computeUnits: 0n } : machine.simulate(sent, options)
  }
  const mine = (count: number): void => {
    for (let at = 0; at < count; at += 1) add([], nextSlot())
  }
  const reorganize = (depth: number): void => {
    const left = blocks.slice(-depth)
    const before = blocks.slice(1, -depth).map(lineOf)
    branch += 1
    machine = startMachine(payer)
    blocks = [genesisBlock(genesisHash)]
    bySlot = new Map([[0, head()]])
    byId = new Map()
    for (const line of before) replay(line)
    if (file !== undefined) replaceFile(file, before)
    const slot = nextSlot()
    const again = left.flatMap((block) => block.executed.map(({ sent }) => machine.execute(sent, slot)))
    add(
      again.filter((one) => typeof one !== 'string'),
      slot,
    )
    while (head().slot < (left.at(-1)?.slot ?? 0)) mine(1)
  }
  for (const line of lines) replay(line)
  branch = lines.at(-1)?.branch ?? 0
  if (blocks.length === 1) mine(FIRST_BLOCKS)
  return {
    genesisHash,
    machine: () => machine,
    block: (slot) => bySlot.get(slot),
    head,
    blocks: () => blocks.length,
    find: (txId) => byId.get(txId),
    send,
    simulate,
    mine,
    skip: (slots) => {
      skipped += slots
    },
    reorganize,
  }
}

function read(bytes: Uint8Array, options?: { readonly isSigned: boolean }) {
  try {
    return readSent(bytes, options)
  } catch {
    throw new Refused(INVALID, 'The transaction cannot be decoded')
  }
}

function lineOf({ slot, minedAt, branch, executed }: Block): Line {
  const transactions = executed.map(({ sent }) => Buffer.from(sent.bytes).toString('base64'))
  return { slot, minedAt: minedAt.getTime(), branch, transactions }
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

function genesisBlock(hash: string): Block {
  return {
    slot: 0,
    hash,
    parentHash: plainBase58(new Uint8Array(32)),
    parentSlot: 0,
    minedAt: new Date(0),
    branch: 0,
    executed: [],
  }
}

function hashOf(text: string): string {
  return plainBase58(sha256(utf8ToBytes(text)))
}
