import type { IdentityKind } from '@balcao/contract/channels/index.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { Input } from '@mantine/core'
import classes from './identities.module.css'
import { PhoneText } from './phone-text.tsx'

const labels: Record<IdentityKind, string> = {
  phone: 'Telefone',
  lid: 'WhatsApp (LID)',
  bsuid: 'WhatsApp (empresa)',
  telegram: 'Telegram',
  instagram: 'Instagram',
  messenger: 'Messenger',
  email: 'E-mail',
  webchat: 'Visitante do site',
  webchatUser: 'Usuário do site',
  group: 'Grupo',
  hub: 'Canal do hub',
}

/** How the channels know this person. Written by the channels alone. */
export const Identities = ({ identities }: { identities: Contact['identities'] }) =>
  identities.length > 0 && (
    <Input.Wrapper
      label="Como este contato é reconhecido"
      labelElement="div"
      description="Preenchido pelos canais quando a pessoa escreve."
    >
      <dl className={classes.list}>
        {identities.map(({ kind, value }) => (
          <div key={`${kind}:${value}`} className={classes.line}>
            <dt>{labels[kind]}</dt>
            <dd title={value}>{kind === 'phone' ? <PhoneText number={value} /> : value}</dd>
          </div>
        ))}
      </dl>
    </Input.Wrapper>
  )
