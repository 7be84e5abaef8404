import * as z from 'zod/mini'

import { Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { ChangeMember, Invitation, memberPath, NewMember, RevokeAccess } from '../operators/member-schemas.ts'
import { Operator } from '../operators/schemas.ts'
import { Session } from './schemas.ts'

/** How people join, and leave at once (api.md O): routes that affect links and sessions as well. */
export const accountRoutes = {
  inviteMember: route({
    id: 'O2',
    methods: ['POST'],
    paths: ['/member'],
    summary: 'Add a member, by an invitation or with a first password',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    body: NewMember,
    response: z.object({ member: Operator, invitation: z.nullable(Invitation) }),
    status: 201,
    errors: [
      'MEMBER_EXISTS',
      'USERNAME_TAKEN',
      'ROLE_NOT_FOUND',
      'ROLE_ABOVE_YOURS',
      'ROLE_NEEDS_PROJECT',
      'SITE_URL_MISSING',
    ],
    // The body may carry a password and the answer a link: neither is stored with a key.
    keyless: true,
  }),
  changeMember: route({
    id: 'O5',
    methods: ['PUT', 'PATCH'],
    paths: ['/member/{id}'],
    summary: 'Change the name, username or e-mail of a member: absent keeps, empty clears',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    body: ChangeMember,
    response: Operator,
    errors: ['MEMBER_NOT_FOUND', 'CANNOT_CHANGE_SELF', 'MEMBER_EXISTS', 'USERNAME_TAKEN', 'ROLE_ABOVE_YOURS'],
  }),
  revokeAccess: route({
    id: 'O9',
    methods: ['POST', 'PUT', 'PATCH'],
    paths: ['/member/{id}/revokeAccess'],
    summary: 'Take a member’s role in one project away, or all access',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    body: RevokeAccess,
    response: z.object({ member: Operator }),
    errors: ['MEMBER_NOT_FOUND', 'LAST_ROOT', 'CANNOT_CHANGE_SELF', 'ROLE_ABOVE_YOURS'],
  }),
  deleteMember: route({
    id: 'O11',
    methods: ['DELETE'],
    paths: ['/member/{id}'],
    summary: 'Delete a member: no sign-in any more, the e-mail is free, what they did stays',
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    response: Message,
    errors: ['MEMBER_NOT_FOUND', 'LAST_ROOT', 'CANNOT_CHANGE_SELF', 'ROLE_ABOVE_YOURS'],
  }),
  sendInvitation: route({
    id: 'O12',
    methods: ['POST'],
    paths: ['/member/{id}/invite'],
    summary: 'Send an invitation again; links made before stop working',
    // Where no mail can be sent the answer holds the link: whoever has it signs in as that member.
    access: { permission: 'operator:write', stepUp: 'S' },
    rate: 'dashboard',
    params: memberPath,
    response: z.object({ invitation: Invitation }),
    errors: ['MEMBER_NOT_FOUND', 'CANNOT_CHANGE_SELF', 'ROLE_ABOVE_YOURS', 'MEMBER_NOT_INVITED', 'SITE_URL_MISSING'],
    keyless: true,
  }),
  listMemberSessions: route({
    id: 'O16',
    methods: ['GET'],
    paths: ['/member/{id}/sessions'],
    summary: 'List where a member is signed in, last used first',
    access: { permission: 'operator:write' },
    rate: 'dashboard',
    params: memberPath,
    response: z.array(Session),
    errors: ['MEMBER_NOT_FOUND', 'CANNOT_CHANGE_SELF', 'ROLE_ABOVE_YOURS'],
  }),
  endMemberSessions: route({
    id: 'O16',
    methods: ['DELETE'],
    paths: ['/member/{id}/sessions'],
    summary: 'Sign a member out everywhere',
    access: { permission: 'operator:write' },
    rate: 'dashboard',
    params: memberPath,
    response: Message,
    errors: ['MEMBER_NOT_FOUND', 'CANNOT_CHANGE_SELF', 'ROLE_ABOVE_YOURS'],
  }),
} as const
