import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { FileField } from '../../../ui/fields/FileField.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { LinkRules } from './link-rows.ts'
import { readLinkFile, type LinkFile } from './read-csv.ts'
import { EXAMPLE, templateFile } from './result-file.ts'

export type ChooseFileProps = {
  readonly askRules: () => Promise<LinkRules>
  /** Why no file can be chosen yet. */
  readonly refusal: string | undefined
  readonly onFile: (sheet: LinkFile) => void
}

/** Takes the file, reads it without blocking the page, and says what is wrong with one that is not a list of links. */
export function ChooseFile({ askRules, refusal, onFile }: ChooseFileProps) {
  const [error, setError] = useState<string>()
  const [file, setFile] = useState<File>()
  const [isReading, setIsReading] = useState(false)
  const read = async (chosen: File) => {
    setFile(chosen)
    setError(refusal)
    if (refusal !== undefined) return
    setIsReading(true)
    const result = await askRules()
      .then((rules) => readLinkFile(chosen, rules))
      .catch(() => ({
        refusal: t`This file could not be read. Choose it again.`,
      }))
    setIsReading(false)
    if ('file' in result) onFile(result.file)
    else setError(result.refusal)
  }
  return (
    <div className="flex flex-col gap-4">
      <FileField
        label={t`CSV file with one link per line`}
        accept=".csv,text/csv"
        hint={t`Up to 10,000 lines and 5 MB. Nothing is made before you have seen it.`}
        error={error}
        file={file}
        roomy
        onFile={(chosen) => void read(chosen)}
      />
      <p role="status" className="text-dense text-muted empty:hidden">
        {isReading && file !== undefined && t`Reading ${file.name}…`}
      </p>
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-body font-medium">
            <Trans>What a file looks like</Trans>
          </p>
          <Button
            size="small"
            icon={<Download strokeWidth={1.75} />}
            onClick={() => saveFile(templateFile(), 'payment-links-template.csv')}
          >
            <Trans>Template</Trans>
          </Button>
        </div>
        <CodeBlock label={t`example file`} text={EXAMPLE} />
        <p className="text-dense text-muted">
          <Trans>
            Only amountInUSD is needed, and customerEmail or customerID. Amounts have a point before the cents.
          </Trans>
        </p>
      </div>
    </div>
  )
}

export type AnotherFileProps = {
  /** Lines were corrected by hand and have no link yet. */
  readonly isLost: boolean
  readonly disabled: boolean
  readonly onAnother: () => void
}

/** Makes room for another file; asks first if work would be lost. */
export function AnotherFile({ isLost, disabled, onAnother }: AnotherFileProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button kind="quiet" disabled={disabled} onClick={() => (isLost ? setAsking(true) : onAnother())}>
        <Trans>Another file</Trans>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t`Leave the corrected lines?`}
          action={t`Choose another file`}
          keep={t`Stay here`}
          onClose={() => setAsking(false)}
          onConfirm={async () => onAnother()}
        >
          <p className="text-body">{correctedText()}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What would be lost when the sheet closes. */
export function correctedText(): string {
  return t`Their links are not created, and your file does not hold what you typed here.`
}
