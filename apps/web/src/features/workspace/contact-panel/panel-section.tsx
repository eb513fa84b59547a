import { ActionIcon, CopyButton, Tooltip, UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck, IconChevronRight, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './contact-panel.module.css'

type SectionProps = {
  /** Under which name it is remembered whether it is open. */
  name: string
  title: string
  count?: number
  isOpenAtFirst?: boolean
  action?: ReactNode
  children: ReactNode
}

/** A part of the panel that opens and closes, and stays as one left it; what is closed reads nothing. */
export const Section = ({ name, title, count, isOpenAtFirst = false, action, children }: SectionProps) => {
  const id = useId()
  const [open, setOpen] = useLocalStorage<Record<string, boolean>>({
    key: 'painel-contato',
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const isOpen = open[name] ?? isOpenAtFirst
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.sectionTop}>
        <h3 className={classes.sectionHead}>
          <UnstyledButton
            id={id}
            className={classes.sectionTitle}
            aria-expanded={isOpen}
            onClick={() => setOpen((now) => ({ ...now, [name]: !isOpen }))}
          >
            <IconChevronRight size={16} stroke={1.75} className={classes.chevron} data-open={isOpen} aria-hidden />
            {title} {count ? <span className="tabular">{count}</span> : null}
          </UnstyledButton>
        </h3>
        {isOpen && action}
      </div>
      {isOpen && <div className={classes.sectionBody}>{children}</div>}
    </section>
  )
}

export const Field = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.field}>
    <dt title={label}>{label}</dt>
    <dd>{children}</dd>
  </div>
)

export const None = ({ text = 'Não informado' }: { text?: string }) => <span className={classes.none}>{text}</span>

export const Copy = ({ text, label }: { text: string; label: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copiado' : label}>
        <ActionIcon size={24} aria-label={label} onClick={copy}>
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
)
