import * as z from 'zod/mini'

import { route } from '../kit/route.ts'
import { AssignedRoles, AssignRole, memberPath, MemberPage, MemberSearch } from './member-schemas.ts'
import { Operator } from './schemas.ts'

const ASSIGNMENT_ERRORS = [
  'MEMBER_NOT_FOUND',
  'ROLE_NOT_FOUND',
  'ROLE_ABOVE_YOURS',
  'ROLE_NEEDS_PROJECT',
  'CANNOT_CHANGE_SELF',
  'LAST_ROOT',
] as const

/** Members and what they may do (api.md O). Who may manage whom is one rule, whatever the route. */
export const membersRoutes = {
  searchMembers: route({
    id: 'O1',
    methods: ['POST', 'GET'],
    paths: ['/internalMembers'],
    summary: 'Find members by name or e-mail, role, state and project',
    access: { permission: 'operator:read' },
    rate: 'dashboard',
    query: MemberSearch,
    body: MemberSearch,
    response: MemberPage,
    errors: [],
    repeatable: true,
  }),
  listMembers: route({
    id: 'O3',
    methods: ['GET'],
    paths: ['/member'],
    summary: 'Find members; the same as /internalMembers',
    access: { permission: 'operator:read' },
    rate: 'dashboard',
    query: MemberSearch,
    response: MemberPage,
    errors: [],
  }),
  getMember: route({
    id: 'O4',
    methods: ['GET'],
    paths: ['/member/{id}'],
    summary: 'Read one member',
    access: { permission: 'operator:read' },
    rate: 'dashboard',
    params: memberPath,
    response: Operator,
    errors: ['MEMBER_NOT_FOUND'],
  }),
  listMemberRoles: route({
    id: 'O6',
    methods: ['GET'],
    paths: ['/member/{id}/roles'],
    summary: 'List the roles of a member',
    access: { permission: 'operator:read' },
    rate: 'dashboard',
    params: memberPath,
    response: AssignedRoles,
    errors: ['MEMBER_NOT_FOUND'],
  }),
  assignRole: route({
    id: 'O7',
    methods: ['POST'],
    paths: ['/member/{id}/roles'],
    summary: 'Give a member a role; one in the same project is replaced',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    body: AssignRole,
    response: AssignedRoles,
    errors: ASSIGNMENT_ERRORS,
  }),
  replaceRoles: route({
    id: 'O8',
    methods: ['PUT', 'PATCH'],
    paths: ['/member/{id}/roles'],
    summary: 'Give a member this role in place of all others',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    body: AssignRole,
    response: AssignedRoles,
    errors: ASSIGNMENT_ERRORS,
  }),
  activateMember: route({
    id: 'O10',
    methods: ['POST', 'PUT', 'PATCH'],
    paths: ['/member/{id}/activate'],
    summary: 'Give a member the access back that was revoked',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    response: z.object({ member: Operator }),
    errors: ['MEMBER_NOT_FOUND', 'CANNOT_CHANGE_SELF', 'ROLE_ABOVE_YOURS'],
  }),
} as const
