import type { DestinationInSight } from '../../lib/operate/operator-parts.js';
import type { ChannelLag, DeadEvent, StandingChannel } from '../../lib/outbox/dead-letters.js';
import { Act } from './act.js';
import { type Sent, useGrowing, useLive } from './api.js';
import { countText, More, Problem, Table, View } from './parts.js';
import { query, refined } from './router.js';
import { Time } from './times.js';

export function Outbox() {
  const live = useLive<{ destinations: Sent<DestinationInSight>[] }>('outbox', 5_000);
  const only = query('destination');
  const shown = live.data?.destinations.filter(({ name }) => only === undefined || name === only);
  return (
    <View title="Outbox" live={live}>
      {only !== undefined && <a href={refined({ destination: undefined })}>All destinations</a>}
      {shown && (
        <Table
          caption="Destinations"
          head={['Destination', 'Seen', 'Blocked', 'Since', 'Parked', 'Dead', '', 'Relays']}
          none={`No publisher or consumer${only === undefined ? '' : ' of this name'} has started.`}
          rows={shown.map((one) => (
            <tr key={one.name}>
              <td>
                <a href={refined({ destination: one.name })}>{one.name}</a>
              </td>
              <td>
                <Time at={one.seenAt} />
              </td>
              <td>{countText(one.blocked)}</td>
              <td>
                <Time at={one.blockedSince} />
              </td>
              <td>{countText(one.parked)}</td>
              <td>{countText(one.dead)}</td>
              <td class="actions">
                <Act
                  verb={`Retry all of ${one.name}`}
                  permission="outbox"
                  address="outbox/retry-all"
                  body={() => ({ destination: one.name })}
                  done={live.again}
                  text="The first events of all its channels that stand still are published again at once."
                  told={({ channels }) => `Retried ${String(channels)} channels of ${one.name}.`}
                />
                <Act
                  verb={`Forget ${one.name}`}
                  permission="outbox"
                  address="outbox/forget"
                  body={() => ({ destination: one.name })}
                  done={live.again}
                  text="For a publisher or consumer that no longer exists: its deliveries and dead letters go."
                />
              </td>
              <td>{one.owners.map(({ owner, shards }) => `${owner ?? 'nobody'}: ${shards}`).join(', ')}</td>
            </tr>
          ))}
        />
      )}
      {shown?.map(({ name }) => (
        <section key={name} aria-label={name}>
          <Lag destination={name} />
          <Standing destination={name} />
          <Dead destination={name} />
        </section>
      ))}
    </View>
  );
}

/** The channels with most events, and up to how many of each are counted. */
const LAGGING = 20;
const COUNTED = 1_000;

const of = (destination: string) => `destination=${encodeURIComponent(destination)}`;

/** Where events wait, most first. */
function Lag({ destination }: { destination: string }) {
  const live = useLive<{ channels: Sent<ChannelLag>[] }>(`outbox/lag?${of(destination)}&limit=${LAGGING}`, 10_000);
  if (!live.data || live.data.channels.length === 0) return <Problem live={live} what={`Lag of ${destination}`} />;
  return (
    <>
      <h2>Events that wait for {destination}</h2>
      <Problem live={live} what={`Lag of ${destination}`} />
      <Table
        caption={`Lag of ${destination}`}
        head={['Channel', 'Events']}
        none="None."
        rows={live.data.channels.map(({ channel, pending }) => (
          <tr key={channel}>
            <td>{channel}</td>
            <td>{pending >= COUNTED ? `over ${COUNTED}` : pending}</td>
          </tr>
        ))}
      />
    </>
  );
}

function Standing({ destination }: { destination: string }) {
  const live = useGrowing<{ channels: Sent<StandingChannel>[] }>(`outbox/standing?${of(destination)}`);
  if (!live.data || live.data.channels.length === 0) return <Problem live={live} what={`Channels of ${destination}`} />;
  return (
    <>
      <h2>Channels of {destination} that stand still</h2>
      <Problem live={live} what={`Channels of ${destination}`} />
      <Table
        caption={`Channels of ${destination}`}
        head={['Channel', 'How', 'Error', '']}
        none="None."
        rows={live.data.channels.map((channel) => (
          <tr key={channel.channel}>
            <td>{channel.channel}</td>
            <td>{channel.state}</td>
            <td>{channel.error}</td>
            <td class="actions">
              <ChannelActs channel={channel.channel} destination={destination} again={live.again} />
            </td>
          </tr>
        ))}
      />
      <More of={live} shown={live.data.channels.length} what="channels" />
    </>
  );
}

function ChannelActs({ channel, destination, again }: { channel: string; destination: string; again: () => void }) {
  const shared = { permission: 'outbox', body: () => ({ channel, destination }), done: again };
  return (
    <>
      <Act
        verb={`Retry ${channel}`}
        address="outbox/retry"
        text="Its first event is published again at once."
        {...shared}
      />
      <Act
        verb={`Skip in ${channel}`}
        address="outbox/skip"
        text="Its first event becomes a dead letter, and those after it are published."
        {...shared}
      />
    </>
  );
}

function Dead({ destination }: { destination: string }) {
  const live = useGrowing<{ dead: Sent<DeadEvent>[] }>(`outbox/dead?${of(destination)}`);
  if (!live.data || live.data.dead.length === 0) return <Problem live={live} what={`Dead letters of ${destination}`} />;
  return (
    <>
      <h2>Dead letters of {destination}</h2>
      <Problem live={live} what={`Dead letters of ${destination}`} />
      <Table
        caption={`Dead letters of ${destination}`}
        head={['Number', 'Channel', 'Event', 'Attempts', 'Error', '']}
        none="None."
        rows={live.data.dead.map((event) => (
          <tr key={event.sequenceId}>
            <td>{event.sequenceId}</td>
            <td>{event.channel}</td>
            <td>{event.name}</td>
            <td>{event.attempts}</td>
            <td>{event.error}</td>
            <td>
              <Act
                verb={`Requeue ${event.sequenceId}`}
                permission="outbox"
                address="outbox/requeue"
                body={() => ({ channel: event.channel, destination, sequenceIds: [event.sequenceId] })}
                done={live.again}
                text="It is published again, with its number."
              />
            </td>
          </tr>
        ))}
      />
      <p class="actions">
        {[...new Set(live.data.dead.map(({ channel }) => channel))].map((channel) => (
          <Act
            key={channel}
            verb={`Requeue all of ${channel}`}
            permission="outbox"
            address="outbox/requeue"
            body={() => ({ channel, destination })}
            done={live.again}
            text="All dead letters of the channel are published again, in their order."
            told={({ events }) => `Requeued ${String(events)} events of ${channel}.`}
          />
        ))}
      </p>
      <More of={live} shown={live.data.dead.length} what="dead letters" />
    </>
  );
}
