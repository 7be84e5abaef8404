import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { SyntheticEvent } from 'react'

import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'

/** What fits on a tab. */
const LONGEST_NAME = 40

export type SaveViewDialogProps = {
  readonly title: string
  readonly name: string
  /** Names of other views. */
  readonly taken: readonly string[]
  /** Asks whether the days the list is narrowed to belong to the view. */
  readonly asksForDates: boolean
  /** Others use it too. */
  readonly isShared?: boolean
  readonly onSave: (name: string, withDates: boolean) => void
  readonly onClose: () => void
}

/** Names a view. */
export function SaveViewDialog(props: SaveViewDialogProps) {
  const { title, name, taken, asksForDates, isShared = false, onSave, onClose } = props
  const [typed, setTyped] = useState(name)
  const [withDates, setWithDates] = useState(false)
  const [error, setError] = useState<string>()
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const wanted = typed.trim()
    if (wanted === '') return setError(t`Name is required`)
    if (taken.some((one) => one.toLowerCase() === wanted.toLowerCase())) {
      return setError(t`There is a view of this name. Choose another one.`)
    }
    onSave(wanted, withDates)
    onClose()
  }
  return (
    <FormDialog title={title} save={t`Save view`} size={400} isSafe onSubmit={submit} onClose={onClose}>
      <TextField
        label={t`Name`}
        value={typed}
        maxLength={LONGEST_NAME}
        error={error}
        isRequired
        hint={isShared ? t`The view is shared in the project.` : t`The view is kept on this device.`}
        onChange={(value) => {
          setTyped(value)
          setError(undefined)
        }}
      />
      {asksForDates && (
        <Checkbox
          label={t`Keep its dates`}
          hint={t`Without them the view shows every day.`}
          checked={withDates}
          onChange={setWithDates}
        />
      )}
    </FormDialog>
  )
}
