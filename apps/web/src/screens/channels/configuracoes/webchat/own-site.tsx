import type { Connection } from '@balcao/contract/channels/connections.ts'
import type { WebchatLook } from '@balcao/contract/channels/webchat-look.ts'
import { Anchor, Button, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useDraftLink } from '../../../../features/channels/connections/api.ts'
import { CopyField } from '../../../../ui/copy-field.tsx'
import { problemOf, wholeAddress } from './check-site.tsx'
import { firstSiteOf } from './site-code.ts'
import classes from './webchat.module.css'

type Props = { chat: Connection; look: WebchatLook; isWrong: boolean }

/** What is being edited, on a page of one's own site: for whoever has the link, for an hour. */
export const OwnSite = ({ chat, look, isWrong }: Props) => {
  const [address, setAddress] = useState(() => firstSiteOf(chat.config))
  const linking = useDraftLink()
  const shown = linking.data && linking.variables?.look === look ? linking.data.url : undefined
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    linking.mutate({ id: chat.id, address: wholeAddress(address), look })
  }
  return (
    <form className={classes.own} onSubmit={handleSubmit} noValidate>
      <div className={classes.ask}>
        <TextInput
          size="xs"
          label="Experimentar no meu site"
          type="url"
          placeholder="https://www.loja.com.br/planos"
          value={address}
          error={linking.isError && problemOf(linking.error)}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={linking.isPending}
          disabled={isWrong || !address.trim()}
        >
          Gerar link
        </Button>
      </div>
      <div role="status">
        {shown && (
          <>
            <CopyField label="Link da prévia" value={shown} />
            <Text size="xs" c="dimmed" mt={4}>
              Vale por 1 hora, só com o código já instalado na página.{' '}
              <Anchor size="xs" href={shown} target="_blank" rel="noopener">
                Abrir a prévia
              </Anchor>
            </Text>
          </>
        )}
      </div>
    </form>
  )
}
