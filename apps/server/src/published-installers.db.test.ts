/**
 * The calls of published set-up scripts, in their order and with their bodies: what they send and which parts of the answers
 * they look for is theirs, and none of it may change.
 */
import { type Anvil, startAnvil } from '@kassa/chains/testing/anvil.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from './testing/app.ts'
import { accountXpub } from './testing/shop.ts'

const START = new Date('2026-01-31T09:00:00.000Z')

/** More than an access token lives. */
const PAST_ACCESS_MS = 16 * 60_000

let app: TestApp
let anvil: Anvil

beforeEach(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: START }), startAnvil({ chainId: 31_337 })])
}, 60_000)
afterEach(async () => {
  await anvil.stop()
  await app.stop()
})

type Sent = { readonly code: number; readonly text: string; readonly json: () => Record<string, unknown> }

/** Sends what `curl` would, and answers the status and the text. */
async function curl(method: 'GET' | 'POST' | 'PUT', path: string, headers: object, body?: object): Promise<Sent> {
  const { statusCode, payload } = await app.http.inject({
    method,
    url: `/api/v1${path}`,
    headers: { host: 'localhost:8080', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { payload: JSON.stringify(body) }),
  })
  return { code: statusCode, text: payload, json: () => JSON.parse(payload) as Record<string, unknown> }
}

/** The first text or number of this name, as `grep -o` finds it. */
const grep = (text: string, name: string) => new RegExp(`"${name}":"?([^",}]*)`).exec(text)?.[1] ?? ''

const person = { email: TEST_EMAIL, password: TEST_PASSWORD }

describe('the older installer', () => {
  /** In the order in which the script sends them; the value of the first names one template by another. */
  const CONFIGURATION: readonly [string, string][] = [
    [
      'payram.templates.email.deposit.received.master',
      '{{ template "payram.templates.email.header" . }} {{ template "payram.templates.email.deposit.received.body" . }}',
    ],
    ['payram.websocket.server.url', 'wss://pay.example.com:8443'],
    ['payram.templates.email.default.otp.master', '{{ template "payram.templates.email.default.header" . }}'],
    ['payram.templates.email.default.otp.subject', 'Withdrawal OTP Code - {{.ProjectName}}'],
    ['payram.templates.email.default.header', '<img src="{{.ProjectLogoURL}}" alt="{{.ProjectName}}">'],
    ['payram.templates.email.default.footer', '<p style="color: #666666;">Powered by us</p>'],
    ['consumer.action.config', '[{"QueryBuilder":{"EventNames":["payment_request"]}}]'],
  ]

  it('gets through from the first account to the last template', async () => {
    expect((await curl('POST', '/signup', {}, person)).code).toBe(201)
    const signedIn = await curl('POST', '/signin', {}, person)
    expect(signedIn.code).toBe(200)
    const as = { 'api-key': String(signedIn.json().key) }

    for (const [key, value] of [
      ['payram.backend', 'http://localhost:8080'],
      ['payram.frontend', 'http://localhost'],
      ['ssl', '/etc/letsencrypt'],
      ['postal.endpoint', 'https://postal.example.com'],
      ['postal.apikey', 's3cret'],
    ]) {
      expect([key, (await curl('POST', '/configuration', as, { key, value })).code]).toEqual([key, 201])
    }

    const project = await curl('POST', '/external-platform', as, {
      name: 'Shop',
      website: 'https://shop.example',
      successEndpoint: 'https://shop.example/thanks',
      webhookEndpoint: 'https://shop.example/hook',
    })
    expect(project.code).toBe(201)
    const externalPlatformID = Number(project.json().id)
    const created = await curl('POST', '/api-key', as, { externalPlatformID, roleName: 'platform_admin' })
    expect([created.code, created.json().externalPlatformID]).toEqual([201, externalPlatformID])
    const shopKey = String(created.json().key)

    const ethereum = await curl('PUT', '/blockchain/ETH', as, {
      name: 'Ethereum',
      client: 'geth',
      server: anvil.url.replace('http:', 'ws:'),
      server_api_key: '',
      height: 0,
      explorer_address: 'https://scan.example/address/',
      explorer_transaction: 'https://scan.example/tx/',
      min_confirmations: 2,
    })
    expect(ethereum.code).toBe(200)
    expect(ethereum.json()).toMatchObject({ minConfirmations: 2, rpcNodes: [{ url: anvil.url, isPreferred: true }] })
    for (const [code, status, error, body] of [
      // The name is of a network that no test reaches: what follows is as for any node.
      [
        'BTC',
        409,
        'NODE_UNREACHABLE',
        { client: 'bitcoind', server: 'node:18332', server_username: 'u', server_password: 'p', height: 0 },
      ],
      // Nodes of TRON are asked by HTTP, not by gRPC.
      [
        'TRX',
        400,
        'VALIDATION_FAILED',
        { client: 'tron', server: 'grpc.nile.trongrid.io:50051', server_api_key: 'k', height: 0 },
      ],
    ] as const) {
      const refused = await curl('PUT', `/blockchain/${code}`, as, body)
      expect([code, refused.code, grep(refused.text, 'code')]).toEqual([code, status, error])
    }

    const xpub = await curl('POST', '/blockchain-family/ETH_Family/xpub', as, { xpub: accountXpub() })
    expect(xpub.code).toBe(201)
    expect(xpub.json()).toMatchObject({ externalPlatformWallets: [{ externalPlatformID, family: 'ETH_Family' }] })
    for (const path of ['create-pool', 'generate']) {
      const grown = await curl('POST', `/blockchain-family/ETH_Family/${path}`, as, { count: 3 })
      expect([grown.code, grown.json().requested]).toEqual([200, 3])
    }
    const refused = await curl('POST', '/blockchain-family/SOL_Family/xpub', as, { xpub: accountXpub() })
    expect([refused.code, grep(refused.text, 'code')]).toEqual([400, 'FAMILY_UNSUPPORTED'])
    expect((await curl('POST', '/blockchain-family/TRX_Family/xpub', as, { xpub: accountXpub() })).code).toBe(201)

    for (const [key, value] of CONFIGURATION) {
      expect([key, (await curl('POST', '/configuration', as, { key, value })).code]).toEqual([key, 201])
      expect((await curl('GET', `/configuration/key/${key}`, as)).json()).toMatchObject({ key, value })
    }

    const paid = await curl(
      'POST',
      '/payment',
      { 'api-key': shopKey },
      { customerID: 'c1', customerEmail: 'c1@x.example', amountInUSD: 10 },
    )
    expect(paid.code).toBe(200)
  })
})

describe('the set-up script without a screen', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('sets up, signs in again with its refresh token and makes a payment link', async () => {
    expect((await curl('GET', '/member/root/exist', {})).text).toContain('"exist":false')
    const signedUp = await curl('POST', '/signup', {}, person)
    const [access, refreshToken] = [grep(signedUp.text, 'accessToken'), grep(signedUp.text, 'refreshToken')]
    const customerID = grep(signedUp.text, 'customer_id')
    expect((await curl('POST', '/external-platform', bearer(access), { name: 'Default Project' })).code).toBe(201)

    app.clock.now = new Date(START.getTime() + PAST_ACCESS_MS)
    expect((await curl('GET', '/external-platform/all', bearer(access))).code).toBe(401)
    const refreshed = await curl('POST', '/refresh', {}, { refreshToken })
    expect(refreshed.code).toBe(200)
    expect(grep(refreshed.text, 'refreshToken')).toMatch(/^kr_/)
    const as = bearer(grep(refreshed.text, 'accessToken'))
    const projects = await curl('GET', '/external-platform/all', as)
    expect(projects.code).toBe(200)
    const p = grep(projects.text, 'id')

    for (const [key, value] of [
      ['payram.frontend', 'http://localhost'],
      ['payram.backend', 'http://localhost:8080'],
    ]) {
      expect((await curl('GET', `/configuration/key/${key}`, as)).code).toBe(404)
      expect((await curl('POST', '/configuration/', as, { key, value })).code).toBe(201)
      expect((await curl('GET', `/configuration/key/${key}`, as)).text).toContain('"key"')
    }
    const node = await curl('PUT', '/blockchain/ETH', as, { server: anvil.url })
    expect(node.code).toBe(200)

    expect((await curl('GET', `/project/${p}/wallet`, as)).text).not.toContain('"walletID"')
    const family = 'ETH_Family'
    const added = await curl('POST', '/wallets/deposit/eoa/bulk', as, {
      name: 'Headless',
      xpubs: [{ family, xpub: accountXpub() }],
    })
    expect(added.code).toBe(201)
    const listed = await curl('GET', '/project/all/wallets', as)
    expect(listed.json()).toMatchObject([{ walletType: 'deposit_wallet', walletxpubs: [{ family }] }])
    const wallets = [{ walletID: Number(grep(listed.text, 'id')), blockchainFamily: family }]
    expect((await curl('POST', `/project/${p}/wallet`, as, { wallets })).code).toBe(201)
    expect((await curl('GET', `/project/${p}/wallet`, as)).text).toContain('"walletID"')

    const link = { customerID, customerEmail: TEST_EMAIL, amountInUSD: 10 }
    const made = await curl('POST', `/external-platform/${p}/payment`, as, link)
    expect(made.code).toBe(200)
    expect(made.json().url).toMatch(/^http:\/\/localhost\/payments\?reference_id=[0-9a-f-]{36}/)

    const keys = await curl('GET', `/external-platform/${p}/api-key`, as)
    expect([keys.code, keys.text]).toEqual([200, '[]'])
    const description = 'Created by a script'
    const created = await curl('POST', `/external-platform/${p}/api-key`, as, { description })
    expect([created.code, grep(created.text, 'key').slice(0, 8)]).toEqual([201, 'kp_test_'])
  })
})
