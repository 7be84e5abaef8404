import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import { projectsQuery } from '../../api/projects.ts'
import { paths } from '../../lib/paths.ts'
import { useGo } from '../../lib/navigation/navigate.ts'
import { randomId } from '../../lib/random-id.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { addProject } from './add-project.ts'

/** The longest name the server takes. */
const NAME_MAX_LENGTH = 80

/** Adds a project by its name alone and goes on to its details. */
export function AddProjectDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [sending, setSending] = useState(false)
  const queryClient = useQueryClient()
  // The same key while the name is the same: a repetition after a lost answer makes no second project.
  const key = useRef(randomId())
  const go = useGo()

  const submit = async () => {
    const trimmed = name.trim()
    if (trimmed === '') return setError(t(SPEC_TEXTS.projectNameRequired))
    if (sending) return
    setSending(true)
    const { id, failure, warning } = await addProject(trimmed, key.current)
    setSending(false)
    if (failure !== undefined) return setError(failure)
    if (id === undefined) return
    if (warning !== undefined) toast.error(warning)
    void queryClient.invalidateQueries(projectsQuery)
    onClose()
    go(paths.projectSettings({ projectId: id }, { tab: 'projectDetails' }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void submit()
  }

  const foot = (
    <Button kind="primary" loading={sending} disabled={name.trim() === ''} onClick={() => void submit()}>
      {t(SPEC_TEXTS.continueToDetails)}
    </Button>
  )
  return (
    <Dialog title={t(SPEC_TEXTS.addProjectTitle)} size={400} locked={sending} onClose={onClose} foot={foot}>
      <TextField
        label={t(SPEC_TEXTS.projectNameLabel)}
        name="name"
        value={name}
        error={error}
        isRequired
        maxLength={NAME_MAX_LENGTH}
        autoFocus
        onChange={(value) => {
          setName(value)
          setError(undefined)
          key.current = randomId()
        }}
        onKeyDown={onKeyDown}
      />
    </Dialog>
  )
}
