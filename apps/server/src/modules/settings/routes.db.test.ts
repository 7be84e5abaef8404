import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { SETTINGS } from '@kassa/contract/settings/keys.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { asSystem, inTransaction } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { allowedOrigins, backendUrl, saveSetting, setting, siteUrl } from './service.ts'

let app: TestApp
let key: string
let opsKey: string

const read = (name: string, as = key) => app.call(settingsRoutes.getSetting, { params: { key: name } }, { key: as })
const save = (name: string, value: string, as = key) =>
  app.call(settingsRoutes.saveSetting, { body: { key: name, value } }, { key: as })

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  const shop = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })
  opsKey = (await addOperator(app, { projectId: shop.body.id, role: 'project_ops' })).key
})
afterAll(async () => {
  await app.stop()
})

describe('settings.getSetting', () => {
  it('answers with the default until one is set', async () => {
    expect((await read('withdrawal-payout-min-amount')).body).toMatchObject({
      id: null,
      key: 'withdrawal-payout-min-amount',
      value: '10',
      overrideValue: null,
      encrypt: false,
    })
    expect((await save('withdrawal-payout-min-amount', '25')).status).toBe(201)
    expect((await read('withdrawal-payout-min-amount')).body).toMatchObject({ value: '25', overrideValue: '25' })
  })

  it('says that a setting without default is not set: CONFIGURATION_NOT_SET', async () => {
    const { status, refusal } = await read('postal.endpoint')
    expect([status, refusal?.code]).toEqual([404, 'CONFIGURATION_NOT_SET'])
  })

  it('refuses a key that is none: CONFIGURATION_KEY_UNKNOWN', async () => {
    const { status, refusal } = await read('no.such.key')
    expect([status, refusal?.code]).toEqual([404, 'CONFIGURATION_KEY_UNKNOWN'])
    expect((await save('no.such.key', 'x')).refusal?.code).toBe('CONFIGURATION_KEY_UNKNOWN')
  })

  it('shows settings to who may read them: FORBIDDEN', async () => {
    await save('wallet_connect_id', 'project-id')
    expect((await read('wallet_connect_id', opsKey)).body.value).toBe('project-id')
    const { status, refusal } = await read('payram.setup_mode', opsKey)
    expect([status, refusal?.code]).toEqual([403, 'FORBIDDEN'])
    expect(refusal?.data).toEqual({ permission: 'settings:read', project: 'this install' })
  })
})

describe('settings.saveSetting', () => {
  it('answers 201 when it is new and 200 when it changes, and emits the change', async () => {
    expect((await save('activity.log.export.limit', '500')).status).toBe(201)
    const again = await save('activity.log.export.limit', '600')
    expect([again.status, again.body.value]).toEqual([200, '600'])
    const { rows } = await sql`SELECT payload FROM events WHERE type = 'configuration.changed'
                               AND payload->>'key' = 'activity.log.export.limit'`.execute(app.ctx.db)
    expect(rows).toHaveLength(2)
  })

  it('is reached by the key in the path as well', async () => {
    const answer = await app.call(
      settingsRoutes.updateSetting,
      { params: { key: 'ssl' }, body: { value: 'on' } },
      { key, method: 'PATCH' },
    )
    expect([answer.status, answer.body.value]).toEqual([201, 'on'])
  })

  it('says of what is kept for older installers alone that nothing is made of it', async () => {
    const answers = [await save('ssl', 'off'), await save('payram.templates.email.default.otp.body', '{{.OTP}}')]
    expect(answers.map(({ body }) => body.description)).toEqual([
      'Kept for older installers; it has no effect.',
      'E-mail template: one-time code, body. Kept for older installers; no e-mail is made of it.',
    ])
  })

  it('refuses a value of the wrong form with the reason: CONFIGURATION_VALUE_INVALID', async () => {
    const { status, refusal } = await save('security.session_idle_minutes', '1')
    expect([status, refusal?.code, refusal?.message]).toEqual([
      400,
      'CONFIGURATION_VALUE_INVALID',
      'The value must be between 5 and 1440',
    ])
    expect(await setting(app.ctx, 'security.session_idle_minutes')).toBe('120')
  })

  it('never lets a password alone move real money: CONFIGURATION_VALUE_INVALID', async () => {
    const mainnet = asSystem({ ...app.ctx, config: { ...app.ctx.config, network: 'mainnet' } })
    const set = (value: string) => saveSetting(mainnet, { key: 'security.second_factor', value })
    await expect(set('optional')).rejects.toMatchObject({ code: 'CONFIGURATION_VALUE_INVALID' })
    expect((await set('money')).saved.row?.value).toBe('money')
    await app.call(settingsRoutes.resetSetting, { params: { key: 'security.second_factor' } }, { key })
  })

  it('names a missing value: VALIDATION_FAILED', async () => {
    const { status, refusal } = await app.call(settingsRoutes.saveSetting, {}, { key, raw: '{"key":"ssl"}' })
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'VALIDATION_FAILED', 'Value is required'])
  })

  it('asks for the permission of the key: FORBIDDEN', async () => {
    const { status, refusal } = await save('payram.frontend', 'https://evil.example', opsKey)
    expect([status, refusal?.code, refusal?.data?.permission]).toEqual([403, 'FORBIDDEN', 'security:write'])
    expect(await siteUrl(app.ctx)).toBe('http://localhost:8080')
  })

  it('seals a secret and never shows it', async () => {
    const first = await save('merchant.webhook.apikey', 'a-long-shared-secret')
    expect(first.body).toMatchObject({ value: '', encrypt: true, valueSet: true })
    await save('merchant.webhook.apikey', 'another-shared-secret')
    expect((await read('merchant.webhook.apikey')).text).not.toContain('shared-secret')
    expect(await setting(app.ctx, 'merchant.webhook.apikey')).toBe('another-shared-secret')
    const { rows } = await sql`SELECT value FROM configuration WHERE key = 'merchant.webhook.apikey'`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([{ value: null }])
    const sealed = await sql`SELECT 1 FROM secrets WHERE kind = 'setting'`.execute(app.ctx.db)
    expect(sealed.rows).toHaveLength(1)
  })
})

describe('settings.resetSetting', () => {
  const reset = (name: string, as = key) =>
    app.call(settingsRoutes.resetSetting, { params: { key: name } }, { key: as })
  const changes = async (name: string) => {
    const { rows } = await sql`SELECT FROM events WHERE type = 'configuration.changed'
                               AND payload->>'key' = ${name}`.execute(app.ctx.db)
    return rows.length
  }

  it('goes back to the default, emits the change once, and returns what applies now', async () => {
    await save('security.session_idle_minutes', '30')
    const { status, body } = await reset('security.session_idle_minutes')
    expect([status, body.message]).toEqual([200, 'This setting has its default again.'])
    expect((await read('security.session_idle_minutes')).body).toMatchObject({ value: '120', overrideValue: null })
    expect((await reset('security.session_idle_minutes')).status).toBe(200)
    expect(await changes('security.session_idle_minutes')).toBe(2)
  })

  it('leaves a setting without default without a value', async () => {
    await save('postal.endpoint', 'https://mail.example')
    expect((await reset('postal.endpoint')).body.message).toBe('This setting has no value now.')
    expect((await read('postal.endpoint')).refusal?.code).toBe('CONFIGURATION_NOT_SET')
  })

  it('keeps one secret of two that are set at once', async () => {
    await save('merchant.webhook.apikey', 'the-former-shared-secret')
    let other: Promise<unknown> = Promise.resolve()
    await inTransaction(asSystem(app.ctx), async (tx) => {
      await saveSetting(tx, { key: 'merchant.webhook.apikey', value: 'one-of-two-shared-secrets' })
      other = save('merchant.webhook.apikey', 'the-other-shared-secret')
      await vi.waitFor(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        expect(rows).toHaveLength(1)
      }, 10_000)
    })
    await other
    expect(await setting(app.ctx, 'merchant.webhook.apikey')).toBe('the-other-shared-secret')
    const { rows } =
      await sql`SELECT FROM secrets WHERE kind = 'setting' AND label = 'merchant.webhook.apikey'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  it('forgets a secret, not only that there was one', async () => {
    const sealed = async () =>
      (await sql`SELECT FROM secrets WHERE kind = 'setting' AND label = 'postal.apikey'`.execute(app.ctx.db)).rows
    await save('postal.apikey', 'a-secret')
    expect(await sealed()).toHaveLength(1)
    await reset('postal.apikey')
    expect(await sealed()).toEqual([])
  })

  it('opens no private network any more that was allowed', async () => {
    const ask = () => app.ctx.egress.check('webhook', 'https://10.1.2.3/hook')
    await save('security.egress_allow', 'webhook:10.0.0.0/8')
    expect(ask).not.toThrow()
    await reset('security.egress_allow')
    expect(ask).toThrow('private or not allowed')
  })

  it('refuses a key that is none, and who may not change it: CONFIGURATION_KEY_UNKNOWN, FORBIDDEN', async () => {
    expect((await reset('no.such.key')).refusal?.code).toBe('CONFIGURATION_KEY_UNKNOWN')
    await save('activity.log.export.limit', '700')
    const { status, refusal } = await reset('activity.log.export.limit', opsKey)
    expect([status, refusal?.code, refusal?.data?.permission]).toEqual([403, 'FORBIDDEN', 'settings:write'])
    expect(await setting(app.ctx, 'activity.log.export.limit')).toBe('700')
  })

  it('asks for proof of presence first: STEP_UP_REQUIRED', async () => {
    await sql`UPDATE sessions SET step_up_until = NULL`.execute(app.ctx.db)
    const { status, refusal } = await reset('activity.log.export.limit')
    expect([status, refusal?.code, refusal?.data?.action]).toEqual([403, 'STEP_UP_REQUIRED', 'C5'])
    await sql`UPDATE sessions SET step_up_until = now() + interval '1 hour'`.execute(app.ctx.db)
  })
})

describe('settings.listSettings', () => {
  const list = (as = key) => app.call(settingsRoutes.listSettings, {}, { key: as })

  it('shows every setting with its default and what replaces it, and no secret', async () => {
    await save('deposits.quorum_usd', '250')
    await save('merchant.webhook.apikey', 'a-long-shared-secret')
    const { body, text } = await list()
    const row = (name: string) => body.find((one) => one.key === name)
    expect(body.map((one) => one.key)).toEqual(Object.keys(SETTINGS))
    expect(row('deposits.quorum_usd')).toMatchObject({ value: '250', overrideValue: '250', default: '1000' })
    expect(row('security.second_factor')).toMatchObject({ id: null, value: 'optional', default: 'optional' })
    expect(row('consumer.action.config')).toMatchObject({ id: null, value: '', default: null })
    expect(row('merchant.webhook.apikey')).toMatchObject({ value: '', encrypt: true, valueSet: true })
    expect(text).not.toContain('shared-secret')
  })

  it('answers with and without a slash at the end', async () => {
    const { statusCode } = await app.http.inject({ url: '/api/v1/configuration/', headers: { 'api-key': key } })
    expect(statusCode).toBe(200)
  })

  it('is for who may read settings: FORBIDDEN', async () => {
    const { status, refusal } = await list(opsKey)
    expect([status, refusal?.code, refusal?.data?.permission]).toEqual([403, 'FORBIDDEN', 'settings:read'])
  })
})

describe('settings.getSetupMode', () => {
  const confirm = (setupMode: string, as = key) =>
    app.call(settingsRoutes.saveSetupMode, { body: { setupMode } }, { key: as })

  it('has one mode, which set-up scripts may confirm, and no fee collector', async () => {
    expect((await app.call(settingsRoutes.getSetupMode, {}, { key: opsKey })).body).toEqual({ setupMode: 'merchant' })
    expect((await confirm('merchant')).body).toEqual({ setupMode: 'merchant' })
    expect((await app.call(settingsRoutes.listFeeCollectors, {}, { key: opsKey })).body).toEqual([])
  })

  it('refuses every other: SETUP_MODE_UNSUPPORTED', async () => {
    const { status, refusal } = await confirm('operator')
    expect([status, refusal?.code, refusal?.message]).toEqual([
      409,
      'SETUP_MODE_UNSUPPORTED',
      'This server charges no fees and has no operator mode.',
    ])
    expect((await confirm(' ')).refusal?.fields).toEqual({ setupMode: 'Setup mode is required' })
  })

  it('is confirmed by who may, and read by operators only: FORBIDDEN, UNAUTHORIZED', async () => {
    const { status, refusal } = await confirm('merchant', opsKey)
    expect([status, refusal?.data?.permission]).toEqual([403, 'security:write'])
    expect((await app.call(settingsRoutes.getSetupMode)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await app.call(settingsRoutes.listFeeCollectors)).refusal?.code).toBe('UNAUTHORIZED')
  })
})

describe('settings.siteUrl', () => {
  it('is the one that was set, else that of the environment', async () => {
    expect(await siteUrl(app.ctx)).toBe('http://localhost:8080')
    expect(await backendUrl(app.ctx)).toBe('http://localhost:8080')
    await save('security.allowed_origins', 'https://desk.example')
    expect(await allowedOrigins(app.ctx)).toEqual(['http://localhost:8080', 'https://desk.example'])
    await save('payram.frontend', 'http://localhost:9000')
    expect(await siteUrl(app.ctx)).toBe('http://localhost:9000')
    expect(await backendUrl(app.ctx)).toBe('http://localhost:9000')
  })
})

describe('settings.saveSiteAddress', () => {
  const readAddress = (as = key) => app.call(settingsRoutes.getSiteAddress, {}, { key: as })
  const saveAddress = (body: { siteUrl: string; backendUrl?: string }, as = key) =>
    app.call(settingsRoutes.saveSiteAddress, { body }, { key: as })

  it('says where the server is reached, and goes back to one address for both', async () => {
    expect(
      (await saveAddress({ siteUrl: 'http://localhost:9000/', backendUrl: 'http://localhost:9001' })).body,
    ).toEqual({
      siteUrl: 'http://localhost:9000',
      backendUrl: 'http://localhost:9001',
      source: 'configured',
    })
    expect((await saveAddress({ siteUrl: 'http://localhost:9000' })).body.backendUrl).toBe('http://localhost:9001')
    await saveAddress({ siteUrl: 'http://localhost:9000', backendUrl: '' })
    expect((await readAddress()).body.backendUrl).toBe('http://localhost:9000')
  })

  it('names the field it cannot take: CONFIGURATION_VALUE_INVALID', async () => {
    const { status, refusal } = await saveAddress({ siteUrl: 'http://localhost:9000', backendUrl: 'pay.example/api' })
    expect([status, refusal?.code]).toEqual([400, 'CONFIGURATION_VALUE_INVALID'])
    expect(Object.keys(refusal?.fields ?? {})).toEqual(['backendUrl'])
    expect((await saveAddress({ siteUrl: '' })).refusal?.fields).toEqual({ siteUrl: 'Public URL is required' })
  })

  it('is read and changed by who may: FORBIDDEN', async () => {
    expect((await readAddress(opsKey)).refusal?.data).toMatchObject({ permission: 'settings:read' })
    expect((await saveAddress({ siteUrl: 'http://a.example' }, opsKey)).refusal?.data).toMatchObject({
      permission: 'security:write',
    })
  })
})

describe('devices.getSystemDetails', () => {
  const details = async () => (await app.call(devicesRoutes.getSystemDetails, {}, { key: opsKey })).body

  it('shows every operator the address of the QR code, and a pairing code only to those who may pair a device', async () => {
    const set = (name: string, value: string) =>
      app.call(settingsRoutes.updateSetting, { params: { key: name }, body: { value } }, { key })
    await set('payram.frontend', 'https://pay.acme.example')
    await set('payram.backend', 'https://api.acme.example')
    const addresses = { frontendServer: 'https://pay.acme.example', backendServer: 'https://api.acme.example' }
    expect(await details()).toEqual({
      ...addresses,
      code: null,
      server: 'https://api.acme.example',
      blockchainNetwork: 'sandbox',
    })
    await set('payram.server.url', 'https://servers.acme.example')
    expect(await details()).toMatchObject({ ...addresses, server: 'https://servers.acme.example' })
    expect((await app.call(devicesRoutes.getSystemDetails)).refusal?.code).toBe('UNAUTHORIZED')
  })
})

describe('settings.getDefaultConfiguration', () => {
  it('tells every operator about the install, without any secret', async () => {
    const { body } = await app.call(settingsRoutes.getDefaultConfiguration, {}, { key: opsKey })
    expect(body).toMatchObject({
      tronAPIKey: '',
      sweepBatchSizeETH: 3,
      sweepApprovalBatchSizeETH: 50,
      blockchainNetwork: 'sandbox',
      defaultBrandColor: '#caff54',
      features: { sandbox: true },
    })
    expect((await app.call(settingsRoutes.getDefaultConfiguration)).refusal?.code).toBe('UNAUTHORIZED')
  })
})

describe('the names that operators are answered under', () => {
  it('are those of the site, of the API, and of the environment, so that a wrong site URL can be corrected', async () => {
    const install = await testApp({ config: { siteUrl: 'https://pay.acme.example' } })
    const owner = await install.signUp()
    const at = async (host: string) =>
      (await install.call(settingsRoutes.getSiteAddress, {}, { key: owner, headers: { host } })).status
    const set = (siteUrl: string, backend: string) =>
      install.call(settingsRoutes.saveSiteAddress, { body: { siteUrl, backendUrl: backend } }, { key: owner })
    expect([await at('pay.acme.example'), await at('api.acme.example')]).toEqual([200, 421])
    await set('https://pay.acme.example', 'https://api.acme.example')
    expect([await at('pay.acme.example'), await at('api.acme.example')]).toEqual([200, 200])
    await set('https://pay.acne.example', '')
    expect([await at('pay.acme.example'), await at('api.acme.example')]).toEqual([200, 421])
    // The page calls where it came from, not where the wrong URL leads.
    const page = await install.http.inject({ url: '/', headers: { host: 'pay.acme.example' } })
    expect(String(page.headers['content-security-policy']).split('; ')).toContain("connect-src 'self'")
    await install.stop()
  })
})
