import { memberMachine, type MemberState } from '@kassa/contract/operators/machine.ts'
import { isHeldIn } from '@kassa/contract/operators/role-places.ts'
import { type Permission, PERMISSION_NAMES, permissionsOf, type RoleName, ROLES } from '@kassa/contract/permissions.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  mayDefine,
  mayGrant,
  mayKnow,
  mayManage,
  permissionsOfRole,
  permissionsOfRoles,
  placementOf,
  type RoleAssignment,
  roleId,
} from './rules.ts'

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

  it('allows nothing to an unknown role and without a role', () => {
    expect(
      permissionsOfRoles([
        { projectId: null, roleId: 999, permissions: permissionsOfRole(999, ['of:tomorrow'], 'install') },
      ]).install.size,
    ).toBe(0)
    expect(permissionsOfRoles([])).toEqual({ install: new Set(), everywhere: new Set(), projects: new Map() })
  })
})

describe('operators.permissionsOfRole', () => {
  const custom: Permission[] = ['wallet:read', 'wallet:write', 'settings:write', 'payment:read']

  it('leaves out, in a project, what changes the whole install', () => {
    expect(permissionsOfRole(100, custom, 'install')).toEqual(custom)
    expect(permissionsOfRole(100, custom, 'project')).toEqual(['wallet:read', 'payment:read'])
  })

  it('leaves built-in roles as the matrix has them', () => {
    for (const { id, name, places } of ROLES) {
      for (const place of places) expect(permissionsOfRole(id, null, place)).toEqual(permissionsOf(name))
      if (places.includes('project')) expect(permissionsOf(name).filter((one) => !isHeldIn(one, 'project'))).toEqual([])
    }
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

  it('lets no other role manage members', () => {
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

describe('operators.mayGrant', () => {
  const given = (projectId: number | null, name: RoleName): RoleAssignment => ({
    projectId,
    roleId: roleId(name),
    permissions: permissionsOf(name),
  })

  it('lets a root give every role, an administrator all but those two', () => {
    const names: RoleName[] = ['root', 'admin', 'auditor', 'project_lead', 'project_ops', 'platform_referral_admin']
    for (const name of names) {
      expect(mayGrant(at(null, 'root'), given(null, name))).toBe(true)
      expect([name, mayGrant(at(null, 'admin'), given(null, name))]).toEqual([name, !['root', 'admin'].includes(name)])
    }
  })

  it('lets a lead give managers and ops in the own projects, never anything for the install', () => {
    const lead = at(3, 'project_lead')
    const may = (projectId: number | null) =>
      (['project_lead', 'project_manager', 'project_ops', 'auditor', 'platform_referral_admin'] as const).filter(
        (name) => mayGrant(lead, given(projectId, name)),
      )
    expect(may(3)).toEqual(['project_manager', 'project_ops'])
    expect(may(4)).toEqual([])
    expect(may(null)).toEqual([])
  })

  const permissions = fc.uniqueArray(fc.constantFrom(...PERMISSION_NAMES), { minLength: 1, maxLength: 12 })
  const place = fc.constantFrom(null, 3, 4)
  const builtIn = fc.constantFrom(...ROLES.filter(({ places }) => places.length > 0)).map((role) => ({
    roleId: role.id,
    permissions: permissionsOf(role.name),
  }))
  const role = fc.oneof(builtIn, fc.record({ roleId: fc.constant(100), permissions }))
  const assignment = fc.tuple(place, role).map(([projectId, one]): RoleAssignment => ({ projectId, ...one }))

  it('never grants permissions that the granter lacks there, nor all that the granter has', () => {
    fc.assert(
      fc.property(fc.array(assignment, { maxLength: 3 }), assignment, (own, one) => {
        fc.pre(!own.some(({ projectId, roleId: id }) => projectId === null && id === roleId('root')))
        if (!mayGrant(own, one)) return
        const grants = permissionsOfRoles(own)
        const there = (permission: Permission) =>
          grants.everywhere.has(permission) ||
          (one.projectId !== null &&
            own.some((r) => r.projectId === one.projectId && r.permissions.includes(permission)))
        expect(one.permissions.every(there)).toBe(true)
        expect(mayGrant([one], one)).toBe(false)
        // Who was given it can be managed by who gave it.
        expect(mayManage(own, [one])).toBe(true)
        expect(mayManage([one], own)).toBe(false)
      }),
    )
  })

  it('lets only a root define a role as high as their own, or one for a single project', () => {
    const custom = (projectId: number | null, held: Permission[]) => [{ projectId, roleId: 100, permissions: held }]
    const held: Permission[] = ['role:write', 'role:read', 'payment:read']
    expect(mayDefine(at(null, 'root'), PERMISSION_NAMES)).toBe(true)
    expect(mayDefine(custom(null, held), ['payment:read'])).toBe(true)
    expect(mayDefine(custom(null, held), held)).toBe(false)
    expect(mayDefine(custom(null, held), ['payment:create'])).toBe(false)
    expect(mayDefine(custom(3, held), ['payment:read'])).toBe(false)
    expect(mayDefine(at(null, 'admin'), ['payment:read'])).toBe(false)
  })
})

describe('operators.placementOf', () => {
  it.each([
    [['project'], [], { refused: 'ROLE_NEEDS_PROJECT' }],
    [['project'], [7, 8, 7], { projectIds: [7, 8] }],
    [['install'], [], { projectIds: [null] }],
    [['install'], [7], { refused: 'NOT_IN_PROJECTS' }],
    [['project', 'install'], [7], { projectIds: [7] }],
    [['install', 'project'], [], { projectIds: [null] }],
    [[], [7], { refused: 'ROLE_NOT_FOUND' }],
  ] as const)('of a role for %j asked for in %j: %j', (places, projectIds, placement) => {
    expect(placementOf(places, projectIds)).toEqual(placement)
  })
})

describe('the machine of members', () => {
  type Verb = keyof typeof memberMachine.moves
  const verbs = Object.keys(memberMachine.moves) as Verb[]

  it('activates no member without a password and no deleted one', () => {
    const check = () =>
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...verbs), { maxLength: 30 }), (sequence) => {
          let state: MemberState = memberMachine.initial
          let hasPassword = false
          let wasDeleted = false
          for (const verb of sequence) {
            // As the store decides between the two ways back.
            const move = memberMachine.moves[verb === 'activate' && !hasPassword ? 'inviteAgain' : verb]
            if (verb === 'inviteAgain' && hasPassword) continue
            if (!move.from.includes(state)) continue
            state = move.to
            hasPassword ||= verb === 'accept'
            if (wasDeleted) expect(state).toBe('deleted')
            wasDeleted ||= state === 'deleted'
            if (state === 'active') expect(hasPassword).toBe(true)
            if (state === 'invited') expect(hasPassword).toBe(false)
          }
        }),
      )
    expect(check).not.toThrow()
  })
})
