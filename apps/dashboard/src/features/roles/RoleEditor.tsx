import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import { isHeldIn } from '@kassa/contract/operators/role-places.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef, useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { type RoleInput, useRoleChanges } from '../../api/roles.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { PERMISSION_GROUPS } from './permission-words.ts'
import { isOvertaken, nameFor, roleErrors, roleInput, type RoleValues, startOf } from './role-form.ts'

export type RoleEditorProps = {
  /** The role to edit, or to copy; absent for a new one. */
  readonly role: Role | undefined
  readonly isCopy: boolean
  readonly onClose: () => void
}

/** A custom role: what it is called, where it is held, and what it permits. */
export function RoleEditor({ role, isCopy, onClose }: RoleEditorProps) {
  const { read, save } = useRoleChanges()
  const first = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string>()
  // What was sent may be stored although its answer was lost.
  const own = useRef<readonly RoleInput[]>([])
  const isNew = role === undefined || isCopy
  const form = useForm({
    initial: startOf(role, isCopy),
    validate: roleErrors,
    submit: async (values) => {
      setFailure(undefined)
      const sent = roleInput(values)
      try {
        if (!isNew && isOvertaken(role, await read(role.id), [...own.current, sent])) {
          return setFailure(t`Somebody else changed this role meanwhile. Close it and open it again.`)
        }
        own.current = [...own.current, sent]
        await save(isNew ? undefined : role.id, sent)
        toast.success(isNew ? t`Role created` : t`Role saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['name', 'displayName', 'description', 'permissions'])
        setFailure(text)
        return fields
      }
    },
  })
  const { displayName } = form.values
  const rename = (next: string) => {
    const isFollowing = form.values.name === nameFor(displayName)
    form.set({ displayName: next, ...(isFollowing && { name: nameFor(next) }) })
  }
  return (
    <FormDialog
      title={isNew ? t`New role` : t`Edit ${displayName}`}
      save={isNew ? t`Create role` : t`Save role`}
      size={720}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={first}
    >
      <TextField {...form.field('displayName')} ref={first} label={t`Name`} onChange={rename} />
      <TextField
        {...form.field('name')}
        label={t`Name for programs`}
        hint={t`Small letters, digits and underscores.`}
      />
      <TextField {...form.field('description')} label={t`Description`} />
      <Select
        label={t`Held in`}
        name="scope"
        value={form.values.scope}
        options={[
          { value: 'project', label: t`Single projects` },
          { value: 'install', label: t`The whole install` },
        ]}
        onChange={(scope) => form.set({ scope: scope === 'install' ? 'install' : 'project' })}
      />
      <PermissionChoice
        chosen={form.values.permissions}
        scope={form.values.scope}
        error={form.errors.permissions}
        onChange={(permissions) => form.set({ permissions })}
      />
    </FormDialog>
  )
}

type PermissionChoiceProps = {
  readonly chosen: readonly string[]
  readonly scope: RoleValues['scope']
  readonly error: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
}

/**
 * Every permission the operator holds, to tick; what they lack they cannot give. What changes the whole install is off in a role
 * of single projects.
 */
function PermissionChoice({ chosen, scope, error, onChange }: PermissionChoiceProps) {
  const can = useCan()
  const errorId = useId()
  const tick = (name: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, name] : chosen.filter((one) => one !== name))
  return (
    <div role="group" aria-label={t`Permissions`} aria-describedby={error === undefined ? undefined : errorId}>
      <p className="text-body font-medium">
        <Trans>Permissions</Trans>
      </p>
      {error !== undefined && (
        <p id={errorId} role="alert" className="mt-1 text-dense text-danger-text">
          {error}
        </p>
      )}
      {PERMISSION_GROUPS.map(({ title, permissions }) => {
        const given = permissions.filter(([name]) => can(name) || chosen.includes(name))
        if (given.length === 0) return null
        return (
          <fieldset key={t(title)} className="mt-3">
            <legend className="text-dense font-medium text-muted">{t(title)}</legend>
            {given.map(([name, words]) => {
              const isOff = !isHeldIn(name, scope)
              return (
                <Checkbox
                  key={name}
                  name="permissions"
                  label={t(words)}
                  checked={chosen.includes(name) && !isOff}
                  isOff={isOff}
                  {...(isOff && { hint: t`Only in a role for the whole install` })}
                  onChange={(isChosen) => tick(name, isChosen)}
                />
              )
            })}
          </fieldset>
        )
      })}
    </div>
  )
}
