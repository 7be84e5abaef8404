import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../testing/app.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())

describe('mount', () => {
  it('answers health without a credential', async () => {
    const { status, body, headers } = await app.call(systemRoutes.health)
    expect(status).toBe(200)
    expect(body.db).toBe('ok')
    expect(headers['x-request-id']).toBeTruthy()
  })

  it('refuses a call without a key', async () => {
    const { status, refusal } = await app.call(projectsRoutes.listProjects)
    expect(status).toBe(401)
    expect(refusal?.code).toBe('UNAUTHORIZED')
  })

  it('replays the stored answer for an idempotency key', async () => {
    const options = { key, headers: { 'idempotency-key': 'one' } }
    const first = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, options)
    const second = await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, options)
    expect(first.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('key')
    const other = await app.call(projectsRoutes.createProject, { body: { name: 'Other' } }, options)
    expect(other.refusal?.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})
