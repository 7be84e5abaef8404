import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useMemberChanges } from '../../api/members.ts'
import { useForm } from '../../lib/forms/form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { roleChoice, roleErrors, RoleFields, useGivable } from './RoleFields.tsx'
import type { RoleValues } from './RoleFields.tsx'

/** Gives a member another role in place of all they have. */
export function ChangeRoleDialog({ member, onClose }: { member: Operator; onClose: () => void }) {
  const { changeRole } = useMemberChanges()
  const { roles, projects, shownOf } = useGivable()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: heldBy(member),
    validate: (values) => roleErrors(shownOf(values), roles),
    submit: async (values) => {
      setFailure(undefined)
      try {
        await changeRole(member.id, roleChoice(shownOf(values), roles))
        toast.success(t`Role changed`)
        onClose()
      } catch (thrown) {
        setFailure(formFailure(thrown, []).text)
      }
    },
  })
  const { email } = member
  return (
    <FormDialog
      title={t`Change the role of ${email}`}
      save={t`Change role`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      {hasSeveral(member) && (
        <Banner tone="warning">
          <Trans>They hold several roles. The one you choose here takes the place of all of them.</Trans>
        </Banner>
      )}
      {hasHidden(member, projects) && (
        <Banner tone="warning">
          <Trans>
            They also hold a role in a project that is not listed here, such as an archived one. The role you choose
            here takes its place too.
          </Trans>
        </Banner>
      )}
      <RoleFields values={form.values} errors={form.errors} onChange={form.set} />
    </FormDialog>
  )
}

/** Whether the choice takes a role away that the form does not show. */
function hasSeveral({ memberExternalPlatformRoles: held }: Operator): boolean {
  return new Set(held.map(({ roleID }) => roleID)).size > 1
}

/** Whether they hold a role in a project that the form does not list. */
function hasHidden({ memberExternalPlatformRoles: held }: Operator, projects: readonly { readonly id: number }[]) {
  return held.some(({ externalPlatformID: place }) => place !== null && !projects.some(({ id }) => id === place))
}

/** The role they have; of several, the one of the first project. */
function heldBy({ memberExternalPlatformRoles: held }: Operator): RoleValues {
  const [first] = held
  const same = held.filter(({ roleID }) => roleID === first?.roleID)
  return {
    role: first === undefined ? '' : String(first.roleID),
    place: first?.externalPlatformID === null ? 'install' : 'project',
    projects: same.flatMap(({ externalPlatformID: id }) => (id === null ? [] : [String(id)])),
  }
}
