/**
 * A thief who holds the database, the code and every secret of the server tries what each key of SECURITY.md's table opens. Of a
 * key that another test attacks, that test is named here and must exist. A row without either, or that the table no longer has, fails.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { referralShopRoutes } from '@kassa/contract/referral/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { HDKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../context.ts'
import { open } from '../modules/vaults/service.ts'
import { addHotWallet } from '../modules/wallets/hot/service.ts'
import { type TestApp, testApp } from './app.ts'
import { newAccount, openShop, type Shop } from './shop.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const THIEF = '0x00000000000000000000000000000000000000C1'

let app: TestApp
let root: string
let shop: Shop
let reference: string
let promoterToken: string
/** The merchant's own: only its public half was ever given to the server. */
const account = newAccount()
/** Every row of every table as text, and every secret in the open. */
let rows: string
let secrets: Buffer[]

beforeAll(async () => {
  app = await testApp({ config: { siteUrl: 'https://pay.shop.example' } })
  root = await app.signUp()
  shop = await openShop(app, root)
  const mine = (await app.call(projectsRoutes.createProject, { body: { name: 'Mine' } }, { key: root })).body.id
  const xpubs = [{ family: 'ETH_Family', xpub: account.publicExtendedKey }]
  await app.call(walletsRoutes.addDepositWallet, { body: { name: 'Deposits', projectID: mine, xpubs } }, { key: root })
  await addHotWallet(asSystem(app.ctx), { family: 'ETH_Family', name: 'Hot', generate: true })
  const body = { customerID: 'c-1', customerEmail: 'payer@example.com', amountInUSD: '10' }
  reference = (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
  await choose()
  const promoter = { email: 'promoter@example.com', referenceID: 'promoter' }
  const signedIn = await app.call(referralShopRoutes.authenticateReferrer, { body: promoter }, { key: shop.apiKey })
  promoterToken = /kref_[\w-]+/.exec(JSON.stringify(signedIn.body))?.[0] ?? ''
  await steal()
})
afterAll(() => app.stop())

const choose = () => {
  const choice = { blockchain_code: 'ETH', currency_code: 'USDC' }
  return app.call(paymentsRoutes.pinPayment, { params: { ref: reference }, body: choice })
}

async function steal(): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`.execute(
    app.ctx.db,
  )
  const texts = tables.map(async ({ name }) => {
    const { rows: all } = await sql<{ text: string }>`
      SELECT coalesce(json_agg(to_json(one))::text, '') AS text FROM ${sql.table(name)} AS one`.execute(app.ctx.db)
    return all[0]?.text ?? ''
  })
  rows = (await Promise.all(texts)).join('\n').toLowerCase()
  const { rows: ids } = await sql<{ id: number }>`SELECT id FROM secrets ORDER BY id`.execute(app.ctx.db)
  secrets = await Promise.all(ids.map(({ id }) => open(asSystem(app.ctx), id)))
}

/** Whether the loot holds something, as text, as hex or as bytes. */
function holds(value: string | Uint8Array): boolean {
  const bytes = Buffer.from(value)
  const spellings = [bytes.toString('hex'), bytes.toString('base64'), ...(typeof value === 'string' ? [value] : [])]
  if (spellings.some((text) => rows.includes(text.toLowerCase()))) return true
  return secrets.some((secret) => secret.includes(bytes) || spellings.some((text) => secret.includes(text)))
}

/** The addresses that the loot can spend from: each secret of the size of a key is tried as one. */
function spendable(): string[] {
  return secrets.flatMap((secret) =>
    secret.length === 32 ? [privateKeyToAccount(`0x${secret.toString('hex')}`).address] : [],
  )
}

async function addressesIn(table: string): Promise<string[]> {
  const { rows: found } = await sql<{ address: string }>`SELECT address FROM ${sql.table(table)}`.execute(app.ctx.db)
  return found.map(({ address }) => address)
}

/** What only the merchant holds is not among the loot: the seed, the account, and the key of any address. */
function noSeed(): void {
  const leaf = account.deriveChild(0).deriveChild(0).privateKey
  if (!leaf || !account.privateKey) throw new Error('The account has keys')
  for (const one of [account.privateExtendedKey, account.privateKey, leaf]) expect(holds(one)).toBe(false)
  // The loot would show it: its public half is there.
  expect(holds(account.publicExtendedKey)).toBe(true)
}

async function onlyTheFloat(): Promise<void> {
  const [hot, deposits] = [await addressesIn('hot_keys'), await addressesIn('addresses')]
  expect(spendable()).toEqual(hot)
  expect(hot.filter((one) => deposits.includes(one))).toEqual([])
}

async function noFalseAddress(): Promise<void> {
  await sql`UPDATE addresses SET address = ${THIEF}, key = decode(substr(${THIEF}, 3), 'hex') WHERE customer_id IS NOT NULL`.execute(
    app.ctx.db,
  )
  const answers = [await choose(), await app.call(paymentsRoutes.getPaymentByReference, { params: { ref: reference } })]
  for (const { status, text } of answers) expect([status, text.includes(THIEF)]).toEqual([503, false])
}

type Proof = (() => void | Promise<void>) | readonly [file: string, title: string]
const modules = 'apps/server/src/modules'

/** What is tried of each key; of what another test tries, where. */
const TRIED: Readonly<Record<string, Proof>> = {
  'deposit seed': noSeed,
  'owner of a sweep contract': ['packages/solidity/test/time.t.sol', 'test_I4_not_a_second_before_48_hours'],
  'collector (cold wallet)': [
    `${modules}/sweep-contracts/contract-wallets.db.test.ts`,
    'makes owner and collector two keys on mainnet',
  ],
  'signed permissions': [
    'packages/chains/src/evm/permissions/permissions.test.ts',
    'does not take what was signed for another vault, although the row says so',
  ],
  'words of the deposit seed in the signer': noSeed,
  'key of a hot wallet': onlyTheFloat,
  'extended public key': () => expect(HDKey.fromExtendedKey(account.publicExtendedKey).privateKey).toBeNull(),
  'master key': [`${modules}/vaults/service.db.test.ts`, 'stays closed to another master key'],
  'key of a vault': [`${modules}/vaults/vaults.db.test.ts`, 'seals each secret anew under a new key'],
  'passphrase of a vault': [
    `${modules}/vaults/vaults.db.test.ts`,
    'refuses a wrong passphrase, and lets who guesses wait',
  ],
  'key of a process (X25519)': [
    `${modules}/vaults/vaults.db.test.ts`,
    'sends no key to a row that was written without the master key',
  ],
  'webhook secret': [`${modules}/webhooks/endpoints/service.db.test.ts`, 'shows secret and access key once'],
  'signing key of the install (Ed25519)': [`${modules}/webhooks/deliveries/feed.db.test.ts`, 'makes one key'],
  'set-up code': [`${modules}/auth/sign-in/sign-up.db.test.ts`, 'printed once and stored as a hash'],
  'HMAC states of an API key': () => expect(holds(shop.apiKey)).toBe(false),
  'node address with a token in it': [
    'packages/chains/src/node/client.test.ts',
    'names the node without the keys in its URL',
  ],
  'mail password': [`${modules}/mail/mail.db.test.ts`, 'never sends a stored password to another host'],
  'link to choose a password': [`${modules}/auth/passwords/password-link.db.test.ts`, 'prints a link that works once'],
  'link of a promoter': () => {
    expect(promoterToken).toMatch(/^kref_/)
    expect(holds(promoterToken)).toBe(false)
  },
  'mailed code of a recipient or a promoter': [
    `${modules}/withdrawals/recipients/codes.db.test.ts`,
    'is invalid after the fifth wrong try',
  ],
  'address-proof key (Ed25519)': [
    `${modules}/vaults/service.db.test.ts`,
    'proves exactly this address for this payment',
  ],
  'secret of an authenticator app': [`${modules}/auth/factors/totp.test.ts`, 'takes a step once, and none before it'],
  passkey: [`${modules}/auth/step-up/proofs.db.test.ts`, 'counts a passkey that signed what was described'],
  'backup code': [`${modules}/auth/step-up/proofs.db.test.ts`, 'counts a backup code once'],
  'operator session': () => expect(holds(root)).toBe(false),
  'project API key': () => expect(holds(shop.apiKey)).toBe(false),
  'passphrase of a backup': [
    'apps/server/src/backup/archive.test.ts',
    'takes a passphrase typed on any system, and no other',
  ],
  'metrics token': ['apps/server/src/http/mount.db.test.ts', 'serves metrics to loopback'],
  'database and server together': noFalseAddress,
}

/** The keys of the table: the first cell of each row, without text in brackets or behind a colon. */
function keysOfTable(): string[] {
  const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  const table = text.slice(text.indexOf('| Key |')).split('\n').slice(2)
  const names = table.slice(0, table.indexOf('')).map((line) => line.split('|')[1]?.trim() ?? '')
  return names.map((name) => name.replace(/:.*$| \(`.*$/, ''))
}

describe('a thief of the whole server', () => {
  it('finds every key of the table tried here, and no other', () => {
    expect(keysOfTable()).toEqual(Object.keys(TRIED))
  })

  it.each(Object.keys(TRIED))('gets no further than the table says: %s', async (key) => {
    const proof = TRIED[key]
    if (typeof proof === 'function') return proof()
    const [file = '', title = ''] = proof ?? []
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(title)
  })
})
