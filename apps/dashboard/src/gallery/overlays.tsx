import { type ReactNode, useState } from 'react'

import { Button } from '../ui/actions/Button.tsx'
import { ConfirmDialog } from '../ui/overlays/ConfirmDialog.tsx'
import { ConsequencesDialog } from '../ui/overlays/ConsequencesDialog.tsx'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { Drawer } from '../ui/overlays/Drawer.tsx'
import { FormDialog } from '../ui/forms/FormDialog.tsx'
import { TextField } from '../ui/fields/TextField.tsx'
import { nothing } from './specimen.ts'
import type { Part } from './specimen.ts'

/** Opens what a press opens. */
function Opener({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}

export const OVERLAYS: readonly Part[] = [
  {
    name: 'Dialog',
    specimens: [
      {
        state: 'with a field',
        shown: (
          <Opener label="Open a dialog">
            {(close) => (
              <Dialog
                title="Add new project"
                foot={<Button kind="primary">Continue To Project Details</Button>}
                onClose={close}
              >
                <TextField label="Name of your project" value="" isRequired onChange={nothing} />
              </Dialog>
            )}
          </Opener>
        ),
      },
      {
        state: 'long: scrolls, and fills a phone',
        shown: (
          <Opener label="Open a long dialog">
            {(close) => (
              <Dialog title="Keyboard shortcuts" foot={<Button onClick={close}>Done</Button>} onClose={close}>
                <TextField label="Search" value="" onChange={nothing} />
                <ol className="mt-4 flex list-decimal flex-col gap-4 ps-6">
                  {Array.from({ length: 40 }, (_, at) => (
                    <li key={at}>One of many lines.</li>
                  ))}
                </ol>
              </Dialog>
            )}
          </Opener>
        ),
      },
      {
        state: 'long text: the keyboard scrolls it',
        shown: (
          <Opener label="Open a long text">
            {(close) => (
              <Dialog title="Licence" foot={<Button onClick={close}>Done</Button>} onClose={close}>
                {Array.from({ length: 40 }, (_, at) => (
                  <p key={at} className="mb-3">
                    One of many sentences, and nothing to press among them.
                  </p>
                ))}
              </Dialog>
            )}
          </Opener>
        ),
      },
      {
        state: 'bare: its title is heard and not seen',
        shown: (
          <Opener label="Open a bare dialog">
            {(close) => (
              <Dialog title="Search" bare fills onClose={close}>
                <div className="p-4">
                  <TextField label="Find" value="" onChange={nothing} />
                </div>
              </Dialog>
            )}
          </Opener>
        ),
      },
      {
        state: 'fills a phone whatever is in it',
        shown: (
          <Opener label="Open a filling dialog">
            {(close) => (
              <Dialog title="Command palette" fills onClose={close}>
                <TextField label="Search" value="" onChange={nothing} />
              </Dialog>
            )}
          </Opener>
        ),
      },
    ],
  },
  {
    name: 'FormDialog',
    specimens: [
      {
        state: 'refused',
        shown: (
          <Opener label="Open a form">
            {(close) => (
              <FormDialog
                title="Change the address"
                save="Save address"
                failure="Somebody changed it meanwhile. Save again to replace it."
                onSubmit={(event) => event.preventDefault()}
                onClose={close}
              >
                <TextField label="Address" value="" isRequired onChange={nothing} />
              </FormDialog>
            )}
          </Opener>
        ),
      },
    ],
  },
  {
    name: 'ConfirmDialog',
    specimens: [
      {
        state: 'cheap to redo',
        shown: (
          <Opener label="Open a question">
            {(close) => (
              <ConfirmDialog
                title="Cancel this link?"
                action="Cancel link"
                danger
                onConfirm={async () => close()}
                onClose={close}
              >
                <p>The customer can’t pay it any more.</p>
              </ConfirmDialog>
            )}
          </Opener>
        ),
      },
    ],
  },
  {
    name: 'ConsequencesDialog',
    specimens: [
      {
        state: 'typed first, and refused',
        shown: (
          <Opener label="Open consequences">
            {(close) => (
              <ConsequencesDialog
                title="Archive Acme?"
                consequences={['No new payment can be made.', 'Money that still arrives is credited.']}
                action="Archive project"
                danger
                typed="Acme"
                onConfirm={async () => 'Acme has open payouts.'}
                onClose={close}
              />
            )}
          </Opener>
        ),
      },
    ],
  },
  {
    name: 'Drawer',
    specimens: [
      {
        state: 'between two rows',
        shown: (
          <Opener label="Open a drawer">
            {(close) => (
              <Drawer
                title="Payment 0192f3"
                foot={<Button>Actions</Button>}
                onPrevious={nothing}
                onNext={nothing}
                onClose={close}
              >
                <p>The whole story of one payment.</p>
              </Drawer>
            )}
          </Opener>
        ),
      },
    ],
  },
]
