/** The permission catalogue and role matrix of api.md 3: what an operator may do, install-wide or in a project. */
export type PermissionEntry = {
  /** `install`: granted once for the whole install; `project`: granted per project. */
  readonly scope: 'install' | 'project'
  readonly allows: string
  /** Built-in roles that have it. */
  readonly roles: readonly RoleName[]
}

export type RoleName =
  | 'root'
  | 'admin'
  | 'project_lead'
  | 'project_manager'
  | 'project_ops'
  | 'platform_referral_admin'
  | 'auditor'

export const PERMISSIONS = {
  'project:read': {
    scope: 'project',
    allows: 'see project, branding, settings',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'platform_referral_admin', 'auditor'],
  },
  'project:create': {
    scope: 'install',
    allows: 'add a project (creator becomes lead of it)',
    roles: ['root', 'admin', 'project_lead'],
  },
  'project:update': {
    scope: 'project',
    allows: 'settings, branding, payment policy, accepted assets',
    roles: ['root', 'admin', 'project_lead'],
  },
  'project:archive': {
    scope: 'project',
    allows: 'archive, restore',
    roles: ['root', 'admin'],
  },
  'customer:read': {
    scope: 'project',
    allows: 'payers',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'platform_referral_admin', 'auditor'],
  },
  'customer:write': {
    scope: 'project',
    allows: 'add, edit payers',
    roles: ['root', 'admin', 'project_lead', 'project_ops'],
  },
  'operator:read': {
    scope: 'project',
    allows: 'operators and their roles',
    roles: ['root', 'admin', 'project_lead', 'auditor'],
  },
  'operator:write': {
    scope: 'project',
    allows: 'invite, assign, revoke, delete',
    roles: ['root', 'admin', 'project_lead'],
  },
  'role:read': {
    scope: 'install',
    allows: 'roles and permissions',
    roles: ['root', 'admin', 'project_lead', 'auditor'],
  },
  'role:write': {
    scope: 'install',
    allows: 'custom roles',
    roles: ['root'],
  },
  'payment:read': {
    scope: 'project',
    allows: 'payments, summary, timeline',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'auditor'],
  },
  'payment:create': {
    scope: 'project',
    allows: 'payment links',
    roles: ['root', 'admin', 'project_lead', 'project_ops'],
  },
  'payment:cancel': {
    scope: 'project',
    allows: 'cancel an open link',
    roles: ['root', 'admin', 'project_lead', 'project_ops'],
  },
  'payment:resolve': {
    scope: 'project',
    allows: 'assign deposits, accept underpayment',
    roles: ['root', 'admin', 'project_lead', 'project_ops'],
  },
  'payment:export': {
    scope: 'project',
    allows: 'CSV / JSON export',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'auditor'],
  },
  'deposit:read': {
    scope: 'project',
    allows: 'deposits, missed deposits',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'auditor'],
  },
  'payout:read': {
    scope: 'project',
    allows: 'payouts',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'auditor'],
  },
  'payout:create': {
    scope: 'project',
    allows: 'request a payout',
    roles: ['root', 'admin', 'project_lead'],
  },
  'payout:approve': {
    scope: 'project',
    allows: 'approve, reject payouts',
    roles: ['root', 'admin'],
  },
  'payout:cancel': {
    scope: 'project',
    allows: 'cancel before sending',
    roles: ['root', 'admin', 'project_lead'],
  },
  'payout_policy:write': {
    scope: 'project',
    allows: 'limits, quorum, auto-approval',
    roles: ['root', 'admin'],
  },
  'recipient:read': {
    scope: 'project',
    allows: 'address book',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'auditor'],
  },
  'recipient:write': {
    scope: 'project',
    allows: 'add, verify, remove recipients',
    roles: ['root', 'admin', 'project_lead'],
  },
  'referral:read': {
    scope: 'project',
    allows: 'campaigns, referrers, rewards',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'platform_referral_admin', 'auditor'],
  },
  'referral:write': {
    scope: 'project',
    allows: 'campaigns, events, referrer status',
    roles: ['root', 'admin', 'project_lead', 'platform_referral_admin'],
  },
  'referral_payout:approve': {
    scope: 'project',
    allows: 'approve, reject referral payouts',
    roles: ['root', 'admin', 'platform_referral_admin'],
  },
  'wallet:read': {
    scope: 'project',
    allows: 'wallets, balances (xpubs masked)',
    roles: ['root', 'admin', 'project_lead', 'auditor'],
  },
  'wallet:write': {
    scope: 'install',
    allows: 'add, name, activate wallets; collectors',
    roles: ['root', 'admin'],
  },
  'wallet:link': {
    scope: 'project',
    allows: 'link wallets to a project',
    roles: ['root', 'admin', 'project_lead'],
  },
  'address:read': {
    scope: 'project',
    allows: 'deposit addresses',
    roles: ['root', 'admin', 'project_lead', 'project_ops', 'auditor'],
  },
  'vault:read': {
    scope: 'install',
    allows: 'vaults and their activity',
    roles: ['root', 'admin', 'auditor'],
  },
  'vault:write': {
    scope: 'install',
    allows: 'create, unlock, rotate vaults',
    roles: ['root'],
  },
  'contract:read': {
    scope: 'install',
    allows: 'contract metadata and addresses',
    roles: ['root', 'admin', 'project_lead', 'auditor'],
  },
  'contract:write': {
    scope: 'install',
    allows: 'metadata, registering contracts',
    roles: ['root'],
  },
  'sweep:read': {
    scope: 'project',
    allows: 'balances, sweeps, plans',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'auditor'],
  },
  'sweep:write': {
    scope: 'install',
    allows: 'approvals, start, cancel, retry sweeps',
    roles: ['root', 'admin'],
  },
  'webhook:read': {
    scope: 'project',
    allows: 'endpoints, deliveries, events',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'auditor'],
  },
  'webhook:write': {
    scope: 'project',
    allows: 'endpoints and secrets',
    roles: ['root', 'admin', 'project_lead'],
  },
  'webhook:resend': {
    scope: 'project',
    allows: 'resend, replay, test',
    roles: ['root', 'admin', 'project_lead', 'project_ops'],
  },
  'api_key:read': {
    scope: 'project',
    allows: 'keys (never their value)',
    roles: ['root', 'admin', 'project_lead', 'auditor'],
  },
  'api_key:write': {
    scope: 'project',
    allows: 'create, change, revoke keys',
    roles: ['root', 'admin', 'project_lead'],
  },
  'analytics:read': {
    scope: 'project',
    allows: 'dashboards',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'auditor'],
  },
  'ledger:read': {
    scope: 'project',
    allows: 'journal, balances',
    roles: ['root', 'admin', 'project_lead', 'auditor'],
  },
  'audit:read': {
    scope: 'install',
    allows: 'activity log',
    roles: ['root', 'admin', 'auditor'],
  },
  'audit:export': {
    scope: 'install',
    allows: 'export, verify chain',
    roles: ['root', 'admin', 'auditor'],
  },
  'settings:read': {
    scope: 'install',
    allows: 'configuration, SMTP (no secrets)',
    roles: ['root', 'admin', 'auditor'],
  },
  'settings:write': {
    scope: 'install',
    allows: 'configuration, templates, a test of the mail server',
    roles: ['root', 'admin'],
  },
  'security:write': {
    scope: 'install',
    allows: 'site URL, origins, mail server, session and factor policy, egress',
    roles: ['root'],
  },
  'blockchain:read': {
    scope: 'install',
    allows: 'blockchains, currencies, node health',
    roles: ['root', 'admin', 'project_lead', 'project_manager', 'project_ops', 'platform_referral_admin', 'auditor'],
  },
  'blockchain:write': {
    scope: 'install',
    allows: 'nodes, confirmations, asset limits',
    roles: ['root', 'admin'],
  },
  'system:read': {
    scope: 'install',
    allows: 'workers, detailed health',
    roles: ['root', 'admin', 'auditor'],
  },
  'system:operate': {
    scope: 'install',
    allows: 'restart workers, pair a signing device',
    roles: ['root', 'admin'],
  },
  'sandbox:use': {
    scope: 'install',
    allows: 'sandbox payer and chain (absent elsewhere)',
    roles: ['root', 'admin', 'project_lead', 'project_ops'],
  },
} as const satisfies Record<string, PermissionEntry>

export type Permission = keyof typeof PERMISSIONS

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[]

/** Whether a text names a permission of this version. */
export function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name)
}

export type Role = {
  readonly id: number
  readonly name: RoleName | 'customer' | 'platform_admin'
  readonly displayName: string
  readonly description: string
  /** Where the role is assigned as a rule. */
  readonly scope: 'install' | 'project'
  /** Where it may be assigned; nowhere for what is no role of a member. */
  readonly places: readonly RolePlace[]
}

export const ROLE_PLACES = ['install', 'project'] as const

/** A role is held for the whole install, or in projects. */
export type RolePlace = (typeof ROLE_PLACES)[number]

/** The built-in roles (api.md 3.2); `customer` is a payer, `platform_admin` an API key. */
export const ROLES: readonly Role[] = [
  role(1, 'root', 'Root', 'May do everything.', ['install']),
  role(2, 'customer', 'Customer', 'A payer; never signs in.', []),
  role(3, 'platform_admin', 'Platform API', 'A project API key.', []),
  role(4, 'project_lead', 'Project Lead', 'Leads projects.', ['project']),
  role(5, 'project_manager', 'Project Manager', 'Reads a project.', ['project']),
  role(6, 'project_ops', 'Project Ops', 'Works with payments.', ['project']),
  role(7, 'admin', 'Admin', 'Runs the install.', ['install']),
  role(8, 'platform_referral_admin', 'Platform Referral Admin', 'Runs the referral programme.', ['project', 'install']),
  role(9, 'auditor', 'Auditor (read only)', 'Reads everything.', ['install', 'project']),
]

/** The first place is where it is assigned as a rule. */
function role(
  id: number,
  name: Role['name'],
  displayName: string,
  description: string,
  places: readonly RolePlace[],
): Role {
  return { id, name, displayName, description, scope: places[0] ?? 'project', places }
}

/** Custom roles have ids from here on; those below are the built-in ones. */
export const FIRST_CUSTOM_ROLE = 100

/** The permissions a built-in role holds. */
export function permissionsOf(role: string): Permission[] {
  return PERMISSION_NAMES.filter((name) => (PERMISSIONS[name].roles as readonly string[]).includes(role))
}

/** What a project API key may be given (api.md 3.3). */
export const SCOPES = [
  'payment:create',
  'payment:read',
  'payment:cancel',
  'customer:read',
  'deposit:read',
  'payout:create',
  'payout:read',
  'recipient:read',
  'recipient:write',
  'referral:write',
  'referral:read',
  'webhook:read',
  'analytics:read',
] as const satisfies readonly Permission[]

export type Scope = (typeof SCOPES)[number]

export type Preset = 'merchant' | 'payments' | 'payouts' | 'referrals' | 'read_only'

/** Named sets of scopes for the creating screen and for clients that name none. */
export const PRESETS: Readonly<Record<Preset, readonly Scope[]>> = {
  merchant: SCOPES.filter((scope) => scope !== 'analytics:read'),
  payments: ['payment:create', 'payment:read', 'payment:cancel', 'customer:read', 'deposit:read', 'webhook:read'],
  payouts: ['payout:create', 'payout:read', 'recipient:read', 'recipient:write'],
  referrals: ['referral:write', 'referral:read'],
  read_only: SCOPES.filter((scope) => scope.endsWith(':read')),
}
