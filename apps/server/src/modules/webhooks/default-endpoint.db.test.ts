import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { asSystem, type Caller, inTransaction } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { grantsOf } from '../operators/accounts/service.ts'
import { changeProject } from '../projects/service.ts'
import { deleteWebhook } from './endpoints/change-endpoint.ts'
import { listWebhookRows } from './record/store.ts'

let app: TestApp
let key: string
let p: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  p = String((await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id)
})

const save = (webhookEndpoint: string | null, options: object = { key }) =>
  app.call(projectsRoutes.changeProject, { params: { p }, body: { webhookEndpoint } }, options)
const endpoints = async () => {
  const { body } = await app.call(webhooksRoutes.listWebhooks, { params: { p } }, { key })
  return body.map(({ url, status }) => `${status} ${url}`)
}
const addOne = (url: string) => app.call(webhooksRoutes.createWebhook, { params: { p }, body: { url } }, { key })

describe("webhooks: a project's own webhook address", () => {
  it('becomes its default endpoint with the project', async () => {
    const body = { name: 'Born with one', webhookEndpoint: 'http://127.0.0.1:9/born' }
    const { status, body: project } = await app.call(projectsRoutes.createProject, { body }, { key })
    p = String(project.id)
    expect([status, await endpoints()]).toEqual([201, ['active http://127.0.0.1:9/born']])
  })

  it('is added, changed and switched off with the project, as one endpoint', async () => {
    expect((await save('http://127.0.0.1:9/a')).body.webhookEndpoint).toBe('http://127.0.0.1:9/a')
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/a'])
    await save('http://127.0.0.1:9/b')
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/b'])
    expect((await save('')).body.webhookEndpoint).toBe('')
    expect(await endpoints()).toEqual(['inactive http://127.0.0.1:9/b'])
    await save('http://127.0.0.1:9/b')
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/b'])
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM events WHERE type = 'webhook.changed' AND project_id = ${Number(p)}`.execute(
      app.ctx.db,
    )
    expect(rows[0]?.n).toBe(4)
  })

  it('makes an endpoint the default one that has the address already', async () => {
    await addOne('http://127.0.0.1:9/own')
    expect((await save('http://127.0.0.1:9/own')).status).toBe(200)
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/own'])
    await addOne('http://127.0.0.1:9/second')
    expect((await save('http://127.0.0.1:9/second')).status).toBe(200)
    expect(await endpoints()).toEqual(['inactive http://127.0.0.1:9/own', 'active http://127.0.0.1:9/second'])
    await save('')
    expect(await endpoints()).toEqual(['inactive http://127.0.0.1:9/own', 'inactive http://127.0.0.1:9/second'])
  })

  it('does not bring back an endpoint that is being deleted', async () => {
    await save('http://127.0.0.1:9/a')
    const project = Number(p)
    let saved: ReturnType<typeof save> | undefined
    await inTransaction(asSystem(app.ctx), async (tx) => {
      const [webhook] = await listWebhookRows(tx, [project])
      if (!webhook) throw new Error('There is no endpoint')
      await deleteWebhook(tx, webhook)
      saved = save('http://127.0.0.1:9/b')
      await vi.waitFor(async () => {
        const { rows } = await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(app.ctx.db)
        expect(rows).not.toEqual([])
      })
    })
    expect((await saved)?.status).toBe(200)
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/b'])
    const { rows } = await sql<{ url: string; status: string }>`
      SELECT url, status FROM webhooks WHERE project_id = ${project} ORDER BY id`.execute(app.ctx.db)
    expect(rows).toEqual([
      { url: 'http://127.0.0.1:9/a', status: 'deleted' },
      { url: 'http://127.0.0.1:9/b', status: 'active' },
    ])
  })

  it('refuses invalid settings, and changes nothing then', async () => {
    const { status, refusal } = await save('http://10.1.2.3/hook')
    expect([status, refusal?.code]).toEqual([400, 'WEBHOOK_URL_NOT_ALLOWED'])
    for (let n = 0; n < 20; n += 1) await addOne(`http://127.0.0.1:9/${n}`)
    expect((await save('http://127.0.0.1:9/one-more')).refusal?.code).toBe('WEBHOOK_LIMIT')
    const { body } = await app.call(projectsRoutes.getProject, { params: { p } }, { key })
    expect(body.webhookEndpoint).toBe('')
    const born = { name: 'Not born', webhookEndpoint: 'http://192.168.0.1/' }
    const created = await app.call(projectsRoutes.createProject, { body: born }, { key })
    expect(created.refusal?.code).toBe('WEBHOOK_URL_NOT_ALLOWED')
    const all = await app.call(projectsRoutes.listProjects, {}, { key })
    expect(all.body.map(({ name }) => name)).not.toContain('Not born')
  })

  it('asks for the password as the routes of webhooks do, unless it stays as it is: STEP_UP_REQUIRED', async () => {
    await save('http://127.0.0.1:9/a')
    const lead = await addOperator(app, { projectId: Number(p), role: 'project_lead' })
    await sql`UPDATE sessions SET step_up_until = NULL WHERE operator_id = ${lead.operatorId}`.execute(app.ctx.db)
    for (const url of ['http://127.0.0.1:9/theirs', '']) {
      expect((await save(url, { key: lead.key })).refusal).toMatchObject({
        code: 'STEP_UP_REQUIRED',
        data: { action: 'H4' },
      })
    }
    const born = { name: 'Born', webhookEndpoint: 'http://127.0.0.1:9/born' }
    const created = await app.call(projectsRoutes.createProject, { body: born }, { key: lead.key })
    expect(created.refusal?.code).toBe('STEP_UP_REQUIRED')
    expect((await save('http://127.0.0.1:9/a', { key: lead.key })).status).toBe(200)
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/a'])
  })

  it('may be changed by a lead, and not without webhook:write unless it stays as it is', async () => {
    const lead = await addOperator(app, { projectId: Number(p), role: 'project_lead' })
    expect((await save('http://127.0.0.1:9/lead', { key: lead.key })).status).toBe(200)
    const ops = await addOperator(app, { projectId: Number(p), role: 'project_ops' })
    const caller: Caller = {
      kind: 'operator',
      operatorId: ops.operatorId,
      sessionId: ops.signedIn.id,
      email: '',
      restricted: false,
      stepUpUntil: null,
      secondFactors: [],
      missingFactor: null,
      grants: await grantsOf(app.ctx, ops.operatorId),
    }
    const ctx = { ...app.ctx, caller }
    const change = (webhookEndpoint: string) =>
      changeProject(ctx, Number(p), { webhookEndpoint, website: 'https://x.example' })
    for (const url of ['http://127.0.0.1:9/theirs', '']) {
      await expect(change(url)).rejects.toMatchObject({
        code: 'FORBIDDEN',
        data: { permission: 'webhook:write', project: 'Shop' },
      })
    }
    await expect(change('http://127.0.0.1:9/lead')).resolves.toMatchObject({ website: 'https://x.example' })
    expect(await endpoints()).toEqual(['active http://127.0.0.1:9/lead'])
  })
})
