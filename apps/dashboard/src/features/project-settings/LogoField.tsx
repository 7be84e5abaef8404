import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { Button } from '../../ui/Button.tsx'
import { CropDialog } from './CropDialog.tsx'
import type { Picture } from './crop.ts'
import type { LogoValue } from './project-changes.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']

/** The largest file the server takes: 1 MB. */
const MAX_BYTES = 1024 * 1024

export type LogoFieldProps = {
  readonly logo: LogoValue
  /** Where to draw it from; empty when there is none. */
  readonly address: string
  readonly error: string | undefined
  readonly onChange: (logo: LogoValue) => void
}

/** The logo payers see: shows it, takes another file and cuts a square out of it, or removes it. */
export function LogoField({ logo: { path, file }, address, error, onChange }: LogoFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isRefused, setRefused] = useState(false)
  const [picture, setPicture] = useState<Picture>()
  const note = isRefused ? t`The logo must be a PNG, JPEG or WebP image up to 1 MB.` : error

  useEffect(() => {
    // Saved, discarded or removed: the browser must not go on naming the file.
    if (file === undefined && input.current !== null) input.current.value = ''
  }, [file])

  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    const isTaken = TYPES.includes(chosen.type) && chosen.size <= MAX_BYTES
    setRefused(!isTaken)
    if (isTaken) onChange({ path, file: chosen })
  }
  /** A file that is no image, whatever its name says: what was there before stays. */
  const refuse = () => {
    setRefused(true)
    onChange({ path, file: undefined })
  }
  const remove = () => {
    setRefused(false)
    onChange({ path: '', file: undefined })
  }
  const measure = ({ naturalWidth: width, naturalHeight: height, src }: HTMLImageElement) => {
    if (file !== undefined && width !== height) setPicture({ src, width, height })
  }

  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-body font-medium">
        <Trans>Logo</Trans>
      </label>
      <div className="flex flex-wrap items-center gap-4">
        <span className="inline-flex size-16 shrink-0 items-center justify-center overflow-hidden rounded-card border border-border bg-sunken text-muted">
          {address === '' ? (
            <ImageOff aria-label={t`No logo`} size={20} strokeWidth={1.5} />
          ) : (
            <img
              src={address}
              alt={file === undefined ? t`Current logo` : t`New logo`}
              onLoad={(event) => measure(event.currentTarget)}
              onError={() => file !== undefined && refuse()}
              className="size-full object-contain"
            />
          )}
        </span>
        <input
          ref={input}
          id={id}
          name="logo"
          type="file"
          accept={TYPES.join(',')}
          aria-describedby={`${id}-note`}
          aria-invalid={note === undefined ? undefined : true}
          onChange={(event) => choose(event.currentTarget.files?.[0])}
          className="min-w-0 flex-1 basis-52 text-dense text-muted file:me-3 file:h-8 file:cursor-pointer file:rounded-control file:border file:border-border file:bg-raised file:px-2.5 file:font-medium file:text-ink coarse:file:h-11"
        />
        {address !== '' && (
          <Button size="small" kind="quiet" onClick={remove}>
            <Trans>Remove logo</Trans>
          </Button>
        )}
      </div>
      <p id={`${id}-note`} className={`text-dense ${note === undefined ? 'text-muted' : 'text-danger-text'}`}>
        {note ?? t`PNG, JPEG or WebP up to 1 MB. A square shows best; another shape is cut here.`}
      </p>
      {picture !== undefined && (
        <CropDialog
          picture={picture}
          onCut={(cut) => onChange({ path, file: cut })}
          onClose={() => setPicture(undefined)}
        />
      )}
    </div>
  )
}
