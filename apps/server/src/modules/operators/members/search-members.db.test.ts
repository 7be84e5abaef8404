import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'

let app: TestApp
let root: string
let shop: number
let market: number

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  const create = async (name: string) =>
    (await app.call(projectsRoutes.createProject, { body: { name } }, { key: root })).body.id
  shop = await create('Shop')
  market = await create('Market')
})
afterAll(() => app.stop())

describe('members.searchMembers', () => {
  it('shows by no filter where else a member works, and as what', async () => {
    const { key: lead } = await addOperator(app, { projectId: shop, role: 'project_lead' })
    const { operatorId: id } = await addOperator(app, { projectId: shop, role: 'project_ops' })
    const given = { params: { id }, body: { roleName: 'auditor', projectIDs: [market] } }
    expect((await app.call(membersRoutes.assignRole, given, { key: root })).status).toBe(200)
    const idsFor = async (key: string, body: object) =>
      (await app.call(membersRoutes.searchMembers, { body }, { key })).body.members.data.map((one) => one.id)
    for (const filter of [{ externalPlatformIds: [market] }, { role: ['auditor'] }]) {
      expect(await idsFor(root, filter)).toContain(id)
      expect(await idsFor(lead, filter)).not.toContain(id)
    }
    expect(await idsFor(lead, { externalPlatformIds: [shop, market] })).toContain(id)
    expect(await idsFor(lead, { role: ['project_ops', 'auditor'] })).toContain(id)
    expect(await idsFor(lead, { externalPlatformIds: [market] })).toContain(1)
  })
})
