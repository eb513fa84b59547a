import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { ActionIcon } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { ContactPicker } from '../../../features/contacts/contacts/contact-picker.tsx'
import classes from './contacts-pane.module.css'

/** The contacts in chat mode: choose whom to talk to. */
export const ContactsPane = ({ onBack, onPick }: { onBack: () => void; onPick: (contact: Contact) => void }) => (
  <section className={classes.pane} aria-label="Contatos">
    <header className={classes.top}>
      <ActionIcon aria-label="Voltar" onClick={onBack}>
        <IconArrowLeft size={20} stroke={1.75} />
      </ActionIcon>
      <h2 className={classes.title}>Com quem você quer falar?</h2>
    </header>
    <div className={classes.body}>
      <ContactPicker onPick={onPick} />
    </div>
  </section>
)
