import type { Refreshed, Session, SignedIn } from '@kassa/contract/auth/schemas.ts'
import type { FactorMethod, Me } from '@kassa/contract/operators/schemas.ts'
import type { FactorPolicy } from '@kassa/contract/settings/keys.ts'
import type { Caller, Grants } from '../../context.ts'
import { displayOf, memberView, type OperatorRoleRow, type Role, rolesView } from '../operators/accounts/service.ts'
import type { SignedInOperator } from './sessions/me.ts'
import type { OpenedSession } from './sign-in/open-session.ts'
import { permissionsVersion } from './sessions/permissions-version.ts'
import { ACCESS_TOKEN_SECONDS } from './sessions/rules.ts'
import type { RenewedTokens } from './sessions/renew-session.ts'
import type { ProofMethod, SessionRow } from './sessions/tables.ts'

/** How far an operator is with a second factor, and whether this session has shown one. */
function factorState(
  methods: readonly FactorMethod[],
  { shown, demanded }: { readonly shown: readonly ProofMethod[]; readonly demanded: FactorPolicy | null },
): Me['secondFactor'] {
  const enrolled = methods.length > 0
  return {
    enrolled,
    methods: [...methods],
    satisfied: shown.some((factor) => factor !== 'password'),
    setupRequired: !enrolled && demanded === 'always',
    requiredForMoney: !enrolled && demanded === 'money',
  }
}

/** The answer of sign-in and sign-up; its key order is the contract's. */
export function signedInView(opened: OpenedSession): SignedIn {
  const { session, operator, roles, role, grants } = opened
  const [assigned] = roles
  return {
    id: session.id,
    createdAt: session.created_at,
    updatedAt: session.last_seen_at,
    key: opened.key,
    status: 'active',
    memberID: operator.id,
    member: memberView(operator),
    externalPlatformID: assigned?.project_id ?? null,
    roleID: assigned?.role_id ?? null,
    role: assigned && role ? roleView(assigned, role, grants) : null,
    metadata: '',
    accessToken: opened.accessToken,
    refreshToken: opened.refreshToken,
    expiresIn: ACCESS_TOKEN_SECONDS,
    tokenType: 'Bearer',
    resetPasswordRequired: session.restricted,
    resetPasswordToken: opened.passwordToken,
    expiresAt: session.idle_expires_at,
    absoluteExpiresAt: session.expires_at,
    projects: opened.projects.map((project) => ({ id: project.id, name: project.name, roleID: project.roleId })),
    secondFactor: factorState(operator.second_factors, {
      shown: session.factors,
      demanded: opened.factorPolicy,
    }),
  }
}

/** The answer of a renewal. */
export function refreshedView({ accessToken, refreshToken }: RenewedTokens): Refreshed {
  return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS, tokenType: 'Bearer' }
}

/** The signed-in operator, with what the dashboard's `can()` reads. */
export function meView(
  { operator, roles, names, session, endsAt }: SignedInOperator,
  caller: Extract<Caller, { kind: 'operator' }>,
): Me {
  const { grants } = caller
  return {
    ...rolesView({ operator, roles }, names),
    lastSeenAt: session.last_seen_at,
    resetPasswordRequired: caller.restricted,
    permissions: {
      install: [...grants.install],
      projects: Object.fromEntries([...grants.projects].map(([id, permissions]) => [String(id), [...permissions]])),
    },
    locale: operator.locale,
    display: displayOf(operator),
    permissionsVersion: permissionsVersion(grants),
    secondFactor: factorState(caller.secondFactors, {
      shown: session.factors,
      demanded: caller.missingFactor,
    }),
    stepUp: { windowUntil: caller.stepUpUntil },
    sessionExpiresAt: endsAt,
  }
}

/** A session as its operator sees it. */
export function sessionView(row: SessionRow, caller: Caller): Session {
  return {
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    current: caller.kind === 'operator' && caller.sessionId === row.id,
    factors: row.factors,
  }
}

function roleView(assigned: OperatorRoleRow, role: Role, grants: Grants): NonNullable<SignedIn['role']> {
  return {
    id: role.id,
    createdAt: assigned.created_at,
    updatedAt: assigned.created_at,
    name: role.name,
    displayName: role.displayName,
    permissions: [...grants.install],
    members: null,
    description: role.description,
  }
}
