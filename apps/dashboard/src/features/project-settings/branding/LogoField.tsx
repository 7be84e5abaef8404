import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'

import { Button } from '../../../ui/actions/Button.tsx'
import { FileField } from '../../../ui/fields/FileField.tsx'
import { CropDialog } from './CropDialog.tsx'
import type { Picture } from './crop.ts'
import type { LogoValue } from '../saved-form/project-changes.ts'

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
  const [isRefused, setRefused] = useState(false)
  const [picture, setPicture] = useState<Picture>()
  const note = isRefused ? t`The logo must be a PNG, JPEG or WebP image up to 1 MB.` : error

  const choose = (chosen: File) => {
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
    <FileField
      label={t`Logo`}
      name="logo"
      accept={TYPES.join(',')}
      hint={t`PNG, JPEG or WebP up to 1 MB. A square shows best; another shape is cut here.`}
      error={note}
      file={file}
      onFile={choose}
      picture={
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
      }
    >
      {address !== '' && (
        <Button size="small" kind="quiet" onClick={remove}>
          <Trans>Remove logo</Trans>
        </Button>
      )}
      {picture !== undefined && (
        <CropDialog
          picture={picture}
          onCut={(cut) => onChange({ path, file: cut })}
          onClose={() => setPicture(undefined)}
        />
      )}
    </FileField>
  )
}
