import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copiedText, copyFailedText, copyText } from '../../lib/device/clipboard.ts'
import { toast } from '../feedback/toast.ts'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'

/** How long the tick stands in for the copy sign. */
const TICK_MS = 2000

export type CopyButtonProps = {
  /** What is copied, as written in a sentence: "payment link", "API key". */
  readonly label: string
  readonly value: string
  /** Draws a button with words instead of a bare icon. */
  readonly withText?: boolean
  readonly kind?: 'primary' | 'secondary'
  /** The one press of its place: as wide as that, and as high as such a press is. */
  readonly large?: boolean
}

/** Copies a value and says whether it worked. */
export function CopyButton({ label, value, withText = false, kind = 'secondary', large = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), TICK_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    const worked = await copyText(value)
    setCopied(worked)
    if (worked) toast.success(copiedText(label))
    else toast.error(copyFailedText(label))
  }

  const icon = copied ? <Check aria-hidden strokeWidth={2} /> : <Copy aria-hidden strokeWidth={1.75} />
  if (withText) {
    return (
      <Button kind={kind} size={large ? 'large' : 'medium'} wide={large} icon={icon} onClick={() => void copy()}>
        <Trans>Copy {label}</Trans>
      </Button>
    )
  }
  return <IconButton label={t`Copy ${label}`} icon={icon} onClick={() => void copy()} />
}
