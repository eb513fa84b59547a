import { Alert, Button, Drawer, Group, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type FormEventHandler, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { focusFirstProblem } from './focus-first-problem.ts'
import classes from './form-drawer.module.css'
import { DiscardDialog, LeaveGuard } from './leave-guard.tsx'

type Props = {
  opened: boolean
  title: string
  onClose: () => void
  onSubmit: FormEventHandler<HTMLFormElement>
  /** Something typed is not saved yet: closing, leaving or reloading asks first. */
  dirty: boolean
  busy?: boolean
  submitLabel?: string
  /** The summary above the fields: one line per problem. */
  problems?: readonly string[]
  /** Left side of the footer, e.g. "Excluir". */
  footer?: ReactNode
  readOnly?: boolean
  children: ReactNode
}

/** A form beside the list: the list stays in view and alive. */
export const FormDrawer = (props: Props) => {
  const { opened, title, onClose, dirty, busy } = props
  const [asking, setAsking] = useState(false)
  const handleClose = () => (dirty ? setAsking(true) : onClose())
  const drawer = useRef<HTMLDivElement>(null)
  useOnEscape(opened && !asking, () => isOnTop(drawer.current) && handleClose())

  return (
    <>
      <Drawer
        ref={drawer}
        opened={opened}
        onClose={handleClose}
        size={460}
        withOverlay={false}
        lockScroll={false}
        trapFocus={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title={
          <Text fw={600} size="lg" component="span">
            {title}
          </Text>
        }
        closeButtonProps={{ 'aria-label': 'Fechar' }}
        classNames={{ content: classes.content, inner: classes.inner, header: classes.header, body: classes.body }}
      >
        {opened && <FormBody {...props} onCancel={handleClose} />}
      </Drawer>
      {/* What is being saved is not lost. */}
      <LeaveGuard active={opened && dirty && !busy} />
      <DiscardDialog
        opened={asking}
        onKeep={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false)
          onClose()
        }}
      />
    </>
  )
}

const FormBody = ({
  onSubmit,
  busy,
  submitLabel = 'Salvar',
  problems,
  footer,
  readOnly,
  children,
  onCancel,
}: Props & { onCancel: () => void }) => {
  const fields = useShowProblems(problems)
  useFocusInside(fields)
  const handleSubmit: FormEventHandler<HTMLFormElement> = (event) => {
    onSubmit(event)
    requestAnimationFrame(() => focusFirstProblem(fields.current))
  }
  return (
    <form onSubmit={handleSubmit} className={classes.form} noValidate>
      <div className={classes.fields} ref={fields}>
        {problems && problems.length > 0 && (
          <Alert
            color="red"
            variant="light"
            icon={<IconAlertCircle size={18} />}
            title="Confira antes de salvar"
            role="alert"
          >
            {problems.map((problem) => (
              <div key={problem}>{problem}</div>
            ))}
          </Alert>
        )}
        <fieldset disabled={readOnly} className={classes.fieldset}>
          {children}
        </fieldset>
      </div>
      <div className={classes.footer}>
        <div>{footer}</div>
        <Group gap="xs">
          <Button variant="default" onClick={onCancel}>
            {readOnly ? 'Fechar' : 'Cancelar'}
          </Button>
          {!readOnly && (
            <Button type="submit" loading={busy}>
              {submitLabel}
            </Button>
          )}
        </Group>
      </div>
    </form>
  )
}

/**
 * The keyboard comes along: to what is wrong, to the first field of what is new, to the drawer itself where there is
 * something to read first. It is not held: the list beside stays within reach.
 */
const useFocusInside = (fields: RefObject<HTMLElement | null>) =>
  useEffect(() => {
    const drawer = fields.current?.closest<HTMLElement>('[role="dialog"]')
    const frame = requestAnimationFrame(() => {
      const first = drawer?.querySelector<HTMLInputElement>(':is(input, textarea)[data-autofocus]')
      const wrong = drawer?.querySelector<HTMLElement>('[aria-invalid="true"]')
      const target = wrong ?? (first?.value === '' ? first : drawer)
      target?.focus({ preventScroll: target !== wrong })
    })
    return () => cancelAnimationFrame(frame)
  }, [fields])

/** Told before anything else hears the key: what it closes by itself (a list of options, a dialog above) is still open then. */
const useOnEscape = (active: boolean, onEscape: () => void) => {
  const latest = useRef(onEscape)
  useEffect(() => {
    latest.current = onEscape
  })
  useEffect(() => {
    if (!active) return
    const hear = (event: KeyboardEvent) => {
      const inOptions =
        event.target instanceof Element && event.target.closest('[aria-expanded="true"], [data-expanded]')
      if (event.key === 'Escape' && !event.isComposing && !inOptions) latest.current()
    }
    window.addEventListener('keydown', hear, true)
    return () => window.removeEventListener('keydown', hear, true)
  }, [active])
}

/** Escape closes the top thing and only that: no dialog or menu stands after this drawer. */
const isOnTop = (drawer: HTMLElement | null) => {
  const open = [...document.querySelectorAll('[role="dialog"], [role="menu"]')]
  return (
    drawer !== null &&
    open.slice(open.findIndex((one) => drawer.contains(one)) + 1).every((one) => drawer.contains(one))
  )
}

/** A summary that arrives while one is far down the form comes into view. */
const useShowProblems = (problems: readonly string[] = []) => {
  const fields = useRef<HTMLDivElement>(null)
  const text = problems.join()
  useEffect(() => {
    if (text) fields.current?.scrollTo({ top: 0, behavior: 'smooth' })
  }, [text])
  return fields
}
