import { createServer, type IncomingMessage } from 'node:http'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { tronKey } from './address-forms.ts'
import { fromHex, toHex } from '../../tron/encoding/hex.ts'
import { readSignedTransaction } from '@kassa/keys/tron/transaction.ts'
import type { Block, LocalTron } from './chain.ts'
import { type Executed, FEES, type SentText } from './transactions.ts'

/** Blocks between the head and the newest one that `walletsolidity` shows, as with 27 producers of which 19 must follow. */
const UNSOLIDIFIED = 19

/** Larger than any request of Kassa. */
const MOST_BYTES = 1024 * 1024

/** Most blocks of one answer (`getblockbylimitnext`). */
const MOST_BLOCKS = 100

/** Energy that a simulated call may use. */
const SIMULATED_ENERGY = 10n ** 9n

type Body = Readonly<Record<string, unknown>>
type Answers = Readonly<Record<string, (body: Body, view: string) => unknown>>

/** Serves a local chain by the HTTP interface of TRON's nodes on this machine only; port 0 lets the system choose. */
export async function serveLocalTron(
  chain: LocalTron,
  port = 0,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const answers = answersOf(chain)
  const server = createServer((request, response) => {
    const send = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer, printed))
    void answer(answers, request).then(
      (found) => (found === undefined ? send(404, {}) : send(200, found)),
      (error: unknown) => send(200, { Error: error instanceof Error ? error.message : 'unknown' }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The local chain has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Numbers are whole and printed as such, however large. */
function printed(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}

/** ECMA-262, JSON.parse source text access; not in TypeScript's library yet. */
const { rawJSON: rawJson } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }

async function answer(answers: Answers, request: IncomingMessage): Promise<unknown> {
  const [, view = '', name = ''] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/')
  const found = view === 'wallet' || view === 'walletsolidity' ? answers[name] : undefined
  if (!found) return undefined
  const text = await textOf(request)
  return found(text === '' ? {} : (JSON.parse(text) as Body), view)
}

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

function answersOf(chain: LocalTron): Answers {
  const headOf = (view: string) => {
    const head = chain.head()
    return view === 'wallet' ? head : (chain.block(Math.max(0, head.height - UNSOLIDIFIED)) ?? head)
  }
  return {
    getnowblock: (_body, view) => blockAnswer(headOf(view)),
    getblock: ({ id_or_num: height }, view) =>
      blockAnswer(height === undefined ? headOf(view) : chain.block(Number(height))),
    getblockbynum: ({ num }) => blockAnswer(chain.block(Number(num))),
    getblockbylimitnext: ({ startNum, endNum }) => {
      const [from, to] = [Number(startNum), Math.min(Number(endNum), Number(startNum) + MOST_BLOCKS)]
      const heights = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)
      const found = heights.map((height) => chain.block(height)).filter((block) => block !== undefined)
      return found.length === 0 ? {} : { block: found.map(blockAnswer) }
    },
    gettransactionbyid: ({ value }) => {
      const found = chain.find(String(value))
      return found ? transactionAnswer(found.executed) : {}
    },
    gettransactioninfobyid: ({ value }) => {
      const found = chain.find(String(value))
      return found ? infoAnswer(found.block, found.executed) : {}
    },
    gettransactioninfobyblocknum: ({ num }) => {
      const block = chain.block(Number(num))
      return block ? block.executed.map((one) => infoAnswer(block, one)) : []
    },
    broadcasttransaction: async (body) => sendAnswer(await chain.send(body as SentText)),
    broadcasthex: async ({ transaction }) => {
      const { raw, signatures } = readSignedTransaction(fromHex(String(transaction)))
      return sendAnswer(await chain.send({ raw_data_hex: toHex(raw), signature: signatures.map(toHex) }))
    },
    triggerconstantcontract: (body) => simulate(chain, body),
    getaccount: async ({ address }) => {
      const [machine, key] = [chain.machine(), tronKey(String(address))]
      const balance = await machine.balance(key)
      if (balance === null) return {}
      return { address, ...((await machine.hasCode(key)) && { type: 'Contract' }), ...(balance > 0n && { balance }) }
    },
    getaccountresource: () => ({}),
    getcontract: async ({ value }) => {
      const hasCode = await chain.machine().hasCode(tronKey(String(value)))
      return hasCode ? { contract_address: value, bytecode: '60' } : {}
    },
    getcontractinfo: async ({ value }) => {
      const code = await chain.machine().code(tronKey(String(value)))
      return code.length > 0 ? { smart_contract: { contract_address: value }, runtimecode: toHex(code) } : {}
    },
    getchainparameters: () => ({ chainParameter: Object.entries(FEES).map(([key, value]) => ({ key, value })) }),
    getnodeinfo: () => ({ configNodeInfo: { codeVersion: 'local' } }),
  }
}

function sendAnswer(sent: Awaited<ReturnType<LocalTron['send']>>): unknown {
  if ('txId' in sent) return { result: true, txid: sent.txId }
  return { result: false, code: sent.code, message: toHex(utf8ToBytes(sent.message)) }
}

async function simulate(chain: LocalTron, body: Body): Promise<unknown> {
  const {
    owner_address: owner,
    contract_address: contract,
    function_selector: selector,
    parameter,
    data,
    call_value,
  } = body
  const start =
    typeof selector === 'string' ? toHex(keccak_256(utf8ToBytes(selector)).subarray(0, 4)) : textOrNone(data)
  const head = chain.head()
  const outcome = await chain.machine().simulate({
    from: tronKey(String(owner)),
    to: tronKey(String(contract)),
    units: BigInt(Number(call_value ?? 0)),
    data: fromHex(start + (typeof parameter === 'string' ? parameter : '')),
    energy: SIMULATED_ENERGY,
    block: { height: head.height + 1, minedAt: head.minedAt },
  })
  return {
    result: { result: true },
    energy_used: outcome.energyUsed,
    constant_result: [toHex(outcome.returned)],
    transaction: { ret: [outcome.result === 'SUCCESS' ? {} : { ret: 'FAILED' }] },
  }
}

function blockAnswer(block: Block | undefined): unknown {
  if (!block) return {}
  const { height, minedAt, parentHash, version, executed } = block
  return {
    blockID: block.hash,
    block_header: {
      raw_data: {
        ...(height > 0 && { number: height, timestamp: minedAt.getTime(), version }),
        txTrieRoot: '0'.repeat(64),
        parentHash,
      },
    },
    ...(executed.length > 0 && { transactions: executed.map(transactionAnswer) }),
  }
}

function transactionAnswer({ sent, contractRet }: Executed): unknown {
  return {
    ret: [{ contractRet }],
    signature: sent.signatures,
    txID: sent.txId,
    raw_data_hex: toHex(sent.bytes),
  }
}

function infoAnswer({ height, minedAt }: Block, { sent, fee, outcome }: Executed): unknown {
  return {
    id: sent.txId,
    fee,
    blockNumber: height,
    blockTimeStamp: minedAt.getTime(),
    contractResult: [outcome ? toHex(outcome.returned) : ''],
    ...(outcome && outcome.result !== 'SUCCESS' && { result: 'FAILED' }),
    receipt: outcome ? { result: outcome.result, energy_usage_total: outcome.energyUsed } : {},
    ...(outcome && outcome.logs.length > 0 && { log: outcome.logs }),
    ...(outcome &&
      outcome.internal.length > 0 && {
        internal_transactions: outcome.internal.map(({ from, to, units }) => ({
          caller_address: `41${from}`,
          transferTo_address: `41${to}`,
          callValueInfo: [{ callValue: units }],
          note: '63616c6c',
        })),
      }),
  }
}

function textOrNone(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
