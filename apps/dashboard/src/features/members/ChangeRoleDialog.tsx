import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useMemberChanges } from '../../api/members.ts'
import { useForm } from '../../lib/forms/form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { roleChoice, roleErrors, RoleFields, useGivable } from './RoleFields.tsx'
import type { RoleValues } from './RoleFields.tsx'

/** Gives a member another role in place of all they have. */
export function ChangeRoleDialog({ member, onClose }: { member: Operator; onClose: () => void }) {
  const { changeRole } = useMemberChanges()
  const { roles } = useGivable()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: heldBy(member),
    validate: (values) => roleErrors(values, roles),
    submit: async (values) => {
      setFailure(undefined)
      try {
        await changeRole(member.id, roleChoice(values, roles))
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
      <RoleFields values={form.values} errors={form.errors} onChange={form.set} />
    </FormDialog>
  )
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
