/** Sends requests made by the contract to the whole program over a real connection, and counts what must not come back. */
import { randomUUID } from 'node:crypto'
import { Agent, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'

import { asSystem } from '../../context.ts'
import { setSandboxNode } from '../../modules/blockchains/nodes/service.ts'
import type { SandboxChains } from '../../sandbox/chains.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp } from '../app.ts'
import { addOperator } from '../operators.ts'
import { openShop } from '../shop.ts'
import { seededRandom } from '../simulator/random.ts'
import { type Callers, type FuzzRequest, requests } from './requests.ts'
import type { Known } from './values.ts'

/** An answer that takes longer is counted as none. */
const HANG_MS = 15_000
/** Streams do not end by themselves: their first bytes are an answer. */
const STREAM_MS = 50
const CONCURRENCY = 8
/** The world is made anew this often, because requests archive, disable and delete what the next ones are about. */
const FRESH_EVERY = 1_000

export type Tally = {
  requests: number
  /** Answers by status. */
  readonly statuses: Map<number, number>
  /** Answers of 500 and above that the route does not declare. */
  readonly faults: string[]
  /** Refusals of 503 that the route declares, such as a missing mail server. */
  declared: number
  readonly hangs: string[]
  readonly rejections: string[]
}

/** Sends so many requests, which follow from the seed. */
export async function fuzz(
  app: TestApp,
  chains: SandboxChains,
  { count, seed }: { count: number; seed: number },
): Promise<Tally> {
  const tally: Tally = { requests: 0, statuses: new Map(), faults: [], declared: 0, hangs: [], rejections: [] }
  const note = (thrown: unknown) => void tally.rejections.push(String(thrown instanceof Error ? thrown.stack : thrown))
  process.on('unhandledRejection', note).on('uncaughtException', note)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY })
  await app.signUp()
  let world = await openWorld(app, chains)
  let signingIn: Promise<string> | undefined
  const source = requests(
    seededRandom(seed),
    () => world.known,
    () => world.callers,
  )
  while (tally.requests < count) {
    if (tally.requests > 0) world = await openWorld(app, chains)
    const end = Math.min(count, tally.requests + FRESH_EVERY)
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (tally.requests < end) {
          tally.requests += 1
          const request = source.next().value
          const { root } = world.callers
          const status = await sendOne(tally, { port, agent }, request)
          // Requests sign root out as well.
          if (status === 401 && Object.values(request.headers).some((value) => value.endsWith(root))) {
            signingIn ??= signIn(app).finally(() => (signingIn = undefined))
            world = { ...world, callers: { ...world.callers, root: await signingIn } }
          }
        }
      }),
    )
  }
  agent.destroy()
  // What was started without being waited for has its time to fail.
  await sleep(500)
  process.off('unhandledRejection', note).off('uncaughtException', note)
  return tally
}

async function sendOne(
  tally: Tally,
  target: { port: number; agent: Agent },
  request: FuzzRequest,
): Promise<number | null> {
  const { route, method, headers, body } = request
  const name = `${route.id} ${method} ${request.target.slice(0, 300)}`
  const outcome = await Promise.race([answerOf(target, request), sleep(HANG_MS, 'hang' as const, { ref: false })])
  if (outcome === 'hang') {
    tally.hangs.push(`${name} ${body?.slice(0, 300) ?? ''}`)
    return null
  }
  const { status, text } = outcome
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (status < 500) return status
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
  if ((route.errors as readonly string[]).includes(code)) tally.declared += 1
  else {
    const sent = `${name} ${headers['content-type'] ?? ''} ${body?.slice(0, 500) ?? ''}`
    tally.faults.push(`${status} ${code} ${sent} → ${text.slice(0, 300)}`)
  }
  return status
}

/** Status 0: the server ended the connection, which it may when a head is no HTTP. */
function answerOf(
  { port, agent }: { port: number; agent: Agent },
  { route, method, target, headers, body }: FuzzRequest,
) {
  return new Promise<{ status: number; text: string }>((resolve) => {
    const outgoing = send({ host: '127.0.0.1', port, agent, method, path: target, headers }, (incoming) => {
      let text = ''
      const done = () => resolve({ status: incoming.statusCode ?? 0, text })
      incoming.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < 2_000) text += part
      })
      incoming.once('close', done)
      if (route.stream === 'events' && incoming.statusCode === 200) setTimeout(() => outgoing.destroy(), STREAM_MS)
    })
    outgoing.once('error', (error) => resolve({ status: 0, text: String(error) }))
    outgoing.end(body)
  })
}

/** A shop with rows of every kind, and callers of every kind. */
async function openWorld(app: TestApp, chains: SandboxChains): Promise<{ known: Known; callers: Callers }> {
  const root = await signIn(app)
  await switchOn(app)
  const { p, apiKey, projectId } = await openShop(app, root, `Fuzzed ${randomUUID()}`)
  for (const [code, url] of Object.entries(chains.nodes)) await setSandboxNode(asSystem(app.ctx), code, url)
  const lead = (await addOperator(app, { projectId, role: 'project_lead' })).key
  const params = { p }
  const hook = await app.call(
    webhooksRoutes.createWebhook,
    { params, body: { url: 'http://127.0.0.1:9/h' } },
    { key: root },
  )
  const key = await app.call(apiKeysRoutes.createApiKey, { params, body: { name: 'Fuzzed' } }, { key: root })
  const references: string[] = []
  for (let n = 0; n < 6; n += 1) {
    const body = { customerID: `c-${n}`, customerEmail: 'payer@example.com', amountInUSD: '10' }
    const made = await app.call(paymentsRoutes.createPayment, { body }, { key: apiKey })
    if (made.refusal) throw new Error(`No world: ${made.text}`)
    references.push(made.body.reference_id)
  }
  if (hook.refusal || key.refusal) throw new Error(`No world: ${hook.text} ${key.text}`)
  const rows = [p, '1', '2', hook.body.id, key.body.id]
  const numbers = [...rows.map(Number), 1, 2, 3]
  return {
    callers: { root, lead, apiKey },
    known: {
      ...{ p: [p, p, p, 'all'], id: rows, ref: references, x: ['ETH', 'BASE', '1'], b: ['ETH', 'BASE', 'TRX'] },
      ...{
        referenceid: references,
        projectid: numbers,
        externalplatformid: numbers,
        walletid: numbers,
        roleid: numbers,
      },
      ...{ blockchaincode: ['ETH', 'BASE'], currencycode: ['USDC', 'ETH', 'USDT'], blockchainfamily: ['ETH_Family'] },
      ...{ amountinusd: ['10', '0.5', 25], customerid: ['c-0', 'c-1', 'c-9'], customeremail: ['payer@example.com'] },
      ...{ email: ['new@shop.example', 'x@y.example'], url: ['http://127.0.0.1:9/hook'], cursor: ['', 'abc'] },
      ...{ limit: [1, 10, 50], offset: [0, 10], format: ['csv', 'jsonl'] },
    },
  }
}

/** What a payment needs of the whole install, and requests may have switched off. */
async function switchOn(app: TestApp): Promise<void> {
  await sql`UPDATE blockchains SET status = 'active' WHERE code IN ('ETH', 'BASE')`.execute(app.ctx.db)
  await sql`UPDATE assets SET deposit_enabled = true`.execute(app.ctx.db)
  await sql`UPDATE rpc_nodes SET is_active = true`.execute(app.ctx.db)
}

/** A new session of root. Requests may have asked root for a new password, or changed what everybody's requests depend on. */
async function signIn(app: TestApp): Promise<string> {
  await sql`UPDATE operators SET reset_password_required = false, state = 'active' WHERE customer_id = 'root'`.execute(
    app.ctx.db,
  )
  await sql`DELETE FROM configuration`.execute(app.ctx.db)
  const { body, refusal, text } = await app.call(authRoutes.signIn, {
    body: { email: TEST_EMAIL, password: TEST_PASSWORD },
  })
  if (refusal) throw new Error(`No session: ${text}`)
  return body.key
}
