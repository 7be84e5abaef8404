import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { addProjectRole, createRoot, findOperatorByEmail, grantsOf, rolesOf } from './service.ts'

let app: TestApp
let shop: number
let market: number

beforeAll(async () => {
  app = await testApp()
  const key = await app.signUp()
  const create = async (name: string) =>
    (await app.call(projectsRoutes.createProject, { body: { name } }, { key })).body.id
  shop = await create('Shop')
  market = await create('Market')
})
afterAll(async () => {
  await app.stop()
})

describe('operators.grantsOf', () => {
  it('gives the first account everything everywhere', async () => {
    const grants = await grantsOf(app.ctx, 1)
    expect(grants.install.has('security:write')).toBe(true)
    expect(grants.install.has('payment:create')).toBe(true)
    expect(grants.projects.size).toBe(0)
  })

  it('gives a project role its permissions in that project alone', async () => {
    const ops = await addOperator(app, { projectId: shop, role: 'project_ops' })
    const grants = await grantsOf(app.ctx, ops.operatorId)
    expect([...grants.projects.keys()]).toEqual([shop])
    expect(grants.projects.get(shop)?.has('payment:create')).toBe(true)
    expect(grants.install.has('payment:create')).toBe(false)
    const me = await app.call(authRoutes.getMe, {}, { key: ops.key })
    expect(me.body.permissions.projects[String(shop)]).toContain('payment:create')
    expect(me.body.permissions.projects[String(market)]).toBeUndefined()
    expect(me.body.platformRoles).toBe('')
  })

  it('shows on signing in the projects of the operator alone', async () => {
    const lead = await addOperator(app, { projectId: market, role: 'project_lead' })
    expect(lead.signedIn.projects).toEqual([{ id: market, name: 'Market', roleID: 4 }])
    expect(lead.signedIn).toMatchObject({ externalPlatformID: market, roleID: 4, role: { name: 'project_lead' } })
  })
})

describe('operators.addProjectRole', () => {
  it('replaces the former role there', async () => {
    const { operatorId } = await addOperator(app, { projectId: shop, role: 'project_lead' })
    await addProjectRole(app.ctx, { operatorId, projectId: shop, role: 'project_manager' })
    expect((await rolesOf(app.ctx, operatorId)).map((assigned) => [assigned.project_id, assigned.role_id])).toEqual([
      [shop, 5],
    ])
  })

  it('leaves an install-wide role as the only one', async () => {
    await addProjectRole(app.ctx, { operatorId: 1, projectId: shop, role: 'project_lead' })
    expect((await rolesOf(app.ctx, 1)).map((assigned) => [assigned.project_id, assigned.role_id])).toEqual([[null, 1]])
  })
})

describe('operators.createRoot', () => {
  it('makes no second one', async () => {
    expect(await createRoot(app.ctx, { email: 'second@shop.example', passwordHash: 'x' })).toBeNull()
    expect(await findOperatorByEmail(app.ctx, 'second@shop.example')).toBeNull()
  })
})
