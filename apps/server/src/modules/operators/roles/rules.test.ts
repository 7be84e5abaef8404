import { permissionsOf, type RoleName } from '@kassa/contract/permissions.ts'
import { describe, expect, it } from 'vitest'

import { mayKnow, mayManage, permissionsOfRole, permissionsOfRoles, roleId } from './rules.ts'

const at = (projectId: number | null, ...names: RoleName[]) =>
  names.map((name) => ({ projectId, roleId: roleId(name), permissions: permissionsOf(name) }))

describe('operators.permissionsOfRoles', () => {
  it('gives an install-wide role its permissions everywhere', () => {
    const assigned = permissionsOfRoles(at(null, 'root'))
    expect([...assigned.install].toSorted()).toEqual(permissionsOf('root').toSorted())
    expect(assigned.projects.size).toBe(0)
  })

  it('keeps what a project role allows in that project', () => {
    const assigned = permissionsOfRoles([...at(3, 'project_lead'), ...at(4, 'project_manager')])
    expect(assigned.projects.get(3)?.has('payment:create')).toBe(true)
    expect(assigned.projects.get(4)?.has('payment:create')).toBe(false)
    expect(assigned.install.has('payment:create')).toBe(false)
  })

  it('counts for the install what is granted once, when a project role brings it', () => {
    const assigned = permissionsOfRoles(at(3, 'project_lead'))
    expect(assigned.install.has('project:create')).toBe(true)
    expect(assigned.install.has('wallet:write')).toBe(false)
    expect([...assigned.everywhere]).toEqual([])
  })

  it('allows nothing to an unknown role and to nobody', () => {
    expect(
      permissionsOfRoles([{ projectId: null, roleId: 999, permissions: permissionsOfRole(999, ['of:tomorrow']) }])
        .install.size,
    ).toBe(0)
    expect(permissionsOfRoles([])).toEqual({ install: new Set(), everywhere: new Set(), projects: new Map() })
  })
})

describe('operators.mayManage', () => {
  const root = at(null, 'root')
  const admin = at(null, 'admin')
  const lead = at(3, 'project_lead')

  it('lets a root manage everybody', () => {
    for (const others of [root, admin, lead, []]) expect(mayManage(root, others)).toBe(true)
  })

  it('lets an administrator manage all but roots and administrators', () => {
    for (const others of [lead, at(null, 'auditor'), at(null, 'platform_referral_admin'), at(4, 'auditor'), []]) {
      expect(mayManage(admin, others)).toBe(true)
    }
    for (const others of [root, admin]) expect(mayManage(admin, others)).toBe(false)
  })

  it('lets a lead manage managers and ops of the own projects alone', () => {
    expect(mayManage(lead, at(3, 'project_manager'))).toBe(true)
    expect(mayManage(lead, at(3, 'project_ops'))).toBe(true)
    expect(mayManage([...lead, ...at(4, 'project_lead')], [...at(3, 'project_ops'), ...at(4, 'project_ops')])).toBe(
      true,
    )
    // As high, or with a permission that a lead has not.
    for (const name of ['project_lead', 'auditor', 'platform_referral_admin'] as const) {
      expect(mayManage(lead, at(3, name))).toBe(false)
    }
    expect(mayManage(lead, at(4, 'project_ops'))).toBe(false)
    expect(mayManage(lead, [...at(3, 'project_ops'), ...at(4, 'project_ops')])).toBe(false)
    // A manager in one project and lead in the other does not lead both.
    expect(mayManage([...lead, ...at(4, 'project_manager')], [...at(3, 'project_ops'), ...at(4, 'project_ops')])).toBe(
      false,
    )
    for (const others of [root, admin, at(null, 'auditor'), []]) expect(mayManage(lead, others)).toBe(false)
  })

  it('lets nobody else manage anybody', () => {
    for (const own of [at(3, 'project_manager', 'project_ops'), at(null, 'auditor'), []]) {
      expect(mayManage(own, at(3, 'project_ops'))).toBe(false)
      expect(mayManage(own, [])).toBe(false)
    }
  })

  it('tells a lead of those who share a project, and of those who work everywhere', () => {
    expect(mayKnow(lead, at(3, 'project_lead'))).toBe(true)
    expect(mayKnow(lead, root)).toBe(true)
    expect(mayKnow(lead, at(4, 'project_ops'))).toBe(false)
    expect(mayKnow(lead, [])).toBe(false)
    expect(mayKnow(admin, [])).toBe(true)
  })
})
