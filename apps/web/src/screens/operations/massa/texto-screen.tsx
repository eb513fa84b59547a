import { MassScreen } from './mass-screen.tsx'

export default function TextoScreen() {
  return (
    <MassScreen
      origin="text"
      title="Texto em massa"
      purpose="O mesmo texto para muita gente, agora."
      noun="Texto"
      fits={({ abilities }) =>
        abilities.supports.includes('mass') && abilities.windowHours === null && abilities.sms === null
      }
      withoutChannel="Nenhum canal seu pode escrever primeiro a qualquer hora. Conecte um WhatsApp por QR code ou um e-mail."
    />
  )
}
