import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

type Words = { readonly title: MessageDescriptor; readonly description: MessageDescriptor }

/** The built-in roles in the operator's language; custom ones have the name that was given to them. */
const BUILT_IN: Readonly<Partial<Record<string, Words>>> = {
  project_lead: { title: msg`Project Lead`, description: msg`Leads projects.` },
  project_manager: { title: msg`Project Manager`, description: msg`Reads a project.` },
  project_ops: { title: msg`Project Ops`, description: msg`Works with payments.` },
  admin: { title: msg`Admin`, description: msg`Runs the install.` },
  platform_referral_admin: { title: msg`Platform Referral Admin`, description: msg`Runs the referral programme.` },
  auditor: { title: msg`Auditor (read only)`, description: msg`Reads everything.` },
}

/** Returns what a role is called. */
export function roleTitle({ name, displayName }: Pick<Role, 'name' | 'displayName'>): string {
  const words = BUILT_IN[name]
  return words === undefined ? displayName : t(words.title)
}

/** Returns what a role is for, in a sentence. */
export function roleDescription({ name, description }: Pick<Role, 'name' | 'description'>): string {
  const words = BUILT_IN[name]
  return words === undefined ? description : t(words.description)
}
