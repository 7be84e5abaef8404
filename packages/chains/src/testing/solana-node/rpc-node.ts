import { createServer, type IncomingMessage } from 'node:http'
import { type Block, type LocalSolana, Refused } from './chain.ts'
import type { Executed, Held, Snapshot } from './machine.ts'

/** Blocks between the head and the newest one that is final, as when 31 confirmed blocks lie on top. */
const UNFINAL = 31

/** Larger than any request of Kassa. */
const MOST_BYTES = 1024 * 1024
const MOST_SLOTS = 500_000

const [NO_METHOD, NO_BLOCK, NOT_YET, SIGNATURE_WRONG] = [-32_601, -32_007, -32_004, -32_003]

type Params = readonly unknown[]
type Checks = { readonly sigVerify?: boolean; readonly replaceRecentBlockhash?: boolean }
type Options = { readonly commitment?: string; readonly transactionDetails?: string }

/** Serves a local chain by the JSON-RPC of Solana's nodes on this machine only. */
export async function serveLocalSolana(
  chain: LocalSolana,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const answer = answererOf(chain)
  const server = createServer((request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body, printed))
    void textOf(request).then(
      (text) => {
        const asked = JSON.parse(text) as Question | readonly Question[]
        send(
          200,
          Array.isArray(asked)
            ? asked.map((one: Question) => envelope(answer, one))
            : envelope(answer, asked as Question),
        )
      },
      () => send(400, {}),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const place = server.address()
  if (typeof place !== 'object' || !place) throw new Error('The local chain has no port')
  return {
    url: `http://127.0.0.1:${place.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Question = { readonly id?: unknown; readonly method?: string; readonly params?: Params }
type Answerer = (method: string, params: Params) => unknown

function envelope(answer: Answerer, { id = null, method = '', params = [] }: Question): unknown {
  try {
    return { jsonrpc: '2.0', id, result: answer(method, params) }
  } catch (error) {
    const code = error instanceof Refused ? error.code : -32_602
    return { jsonrpc: '2.0', id, error: { code, message: error instanceof Error ? error.message : 'Invalid params' } }
  }
}

/** Numbers are whole and printed as such, however large. */
function printed(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}

/** ECMA-262, JSON.parse source text access; not in TypeScript's library yet. */
const { rawJSON: rawJson } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('The request is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Answers as a node does. @throws Refused with the code of its error */
export function answererOf(chain: LocalSolana): Answerer {
  const finalSlot = (): number => {
    let slot = chain.head().slot
    for (let left = UNFINAL; left > 0 && slot > 0; left -= 1) slot = chain.block(slot)?.parentSlot ?? 0
    return slot
  }
  const newest = (options: unknown): number =>
    ((options ?? {}) as Options).commitment === 'confirmed' || ((options ?? {}) as Options).commitment === 'processed'
      ? chain.head().slot
      : finalSlot()
  const slots = (from: number, to: number): number[] => {
    const found: number[] = []
    for (let slot = from; slot <= Math.min(to, from + MOST_SLOTS); slot += 1) if (chain.block(slot)) found.push(slot)
    return found
  }
  const context = (value: unknown) => ({ context: { slot: chain.head().slot, apiVersion: '3.0.0' }, value })
  const account = (of: unknown) => {
    const found = chain.machine().account(String(of))
    if (!found) return null
    const { lamports, owner, data } = found
    const base64 = Buffer.from(data).toString('base64')
    return { lamports, owner, data: [base64, 'base64'], executable: false, rentEpoch: 0, space: data.length }
  }
  const answers: Readonly<Record<string, (...params: unknown[]) => unknown>> = {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '3.0.0-local', 'feature-set': 1 }),
    getGenesisHash: () => chain.genesisHash,
    getSlot: (options) => newest(options),
    getBlockHeight: (options) => newest(options),
    getBlocks: (from, to, options) =>
      slots(Number(from), Math.min(typeof to === 'number' ? to : Infinity, newest(options ?? to))),
    getBlocksWithLimit: (from, limit, options) => slots(Number(from), newest(options)).slice(0, Number(limit)),
    getBlock: (slot, options) => {
      if (Number(slot) > newest(options)) throw new Refused(NOT_YET, `Block not available for slot ${String(slot)}`)
      const block = chain.block(Number(slot))
      if (!block) throw new Refused(NO_BLOCK, `Slot ${String(slot)} was skipped, or missing in long-term storage`)
      return blockAnswer(block, ((options ?? {}) as Options).transactionDetails !== 'none')
    },
    getTransaction: (txId, options) => {
      const found = chain.find(String(txId))
      if (!found || found.block.slot > newest(options)) return null
      const { slot, minedAt } = found.block
      return { slot, blockTime: secondsOf(minedAt), ...transactionAnswer(found.executed) }
    },
    getSignatureStatuses: (txIds) =>
      context(
        (txIds as readonly string[]).map((txId) => {
          const found = chain.find(txId)
          if (!found) return null
          const { slot } = found.block
          const confirmationStatus = slot <= finalSlot() ? 'finalized' : 'confirmed'
          return { slot, confirmations: null, err: errorOf(found.executed), confirmationStatus }
        }),
      ),
    getLatestBlockhash: () => context({ blockhash: chain.head().hash, lastValidBlockHeight: chain.head().slot + 150 }),
    getBalance: (of) => context(chain.machine().account(String(of))?.lamports ?? 0n),
    getAccountInfo: (of) => context(account(of)),
    getMultipleAccounts: (all) => context((all as readonly string[]).map(account)),
    getMinimumBalanceForRentExemption: (bytes) => chain.machine().leastBalance(Number(bytes)),
    getRecentPrioritizationFees: () => [],
    simulateTransaction: (text, options) => {
      const { sigVerify = false, replaceRecentBlockhash = false } = (options ?? {}) as Checks
      const checks = { isSigned: sigVerify, isReplaced: replaceRecentBlockhash }
      const { error, computeUnits } = chain.simulate(bytesOf(text, options), checks)
      if (error === 'SignatureFailure') throw new Refused(SIGNATURE_WRONG, 'Transaction signature verification failure')
      return context({ err: error, logs: [], unitsConsumed: computeUnits })
    },
    sendTransaction: (text, options) => {
      return chain.send(bytesOf(text, options))[0]
    },
  }
  return (method, params) => {
    const found = answers[method]
    if (!found) throw new Refused(NO_METHOD, 'Method not found')
    return found(...params)
  }
}

function bytesOf(text: unknown, options: unknown): Uint8Array {
  const { encoding } = (options ?? {}) as { readonly encoding?: string }
  if (encoding !== 'base64') throw new Refused(-32_602, 'This node takes transactions in base64 only')
  return Uint8Array.from(Buffer.from(String(text), 'base64'))
}

function blockAnswer({ slot, hash, parentHash, parentSlot, minedAt, executed }: Block, isFull: boolean): unknown {
  return {
    blockhash: hash,
    previousBlockhash: parentHash,
    parentSlot,
    blockHeight: slot,
    blockTime: secondsOf(minedAt),
    ...(isFull && { transactions: executed.map(transactionAnswer) }),
  }
}

function transactionAnswer({ sent, error, fee, before, after }: Executed): object {
  const err = errorOf({ error })
  return {
    version: 'legacy',
    transaction: {
      signatures: [sent.txId],
      message: { accountKeys: sent.accounts, recentBlockhash: sent.blockhash },
    },
    meta: {
      err,
      status: err === null ? { Ok: null } : { Err: err },
      fee,
      preBalances: before.lamports,
      postBalances: after.lamports,
      preTokenBalances: tokensOf(before),
      postTokenBalances: tokensOf(after),
      loadedAddresses: { writable: [], readonly: [] },
    },
  }
}

function errorOf({ error }: Pick<Executed, 'error'>): unknown {
  return error === null ? null : { InstructionError: [0, { Custom: 1 }] }
}

function tokensOf({ tokens }: Snapshot): unknown[] {
  return tokens.flatMap((held, accountIndex) => (held ? [printedToken(held, accountIndex)] : []))
}

function printedToken({ mint, owner, program, units, decimals }: Held, accountIndex: number): unknown {
  return { accountIndex, mint, owner, programId: program, uiTokenAmount: { amount: String(units), decimals } }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
