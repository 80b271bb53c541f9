#!/usr/bin/python3
"""Stands in for two programs of PostgreSQL that Patroni calls, where the PostgreSQL at hand is Lantern's own, which has only
the server: `pg_controldata` reads a cluster's state, `pg_basebackup` copies the cluster of another server of this machine."""
import os
import shutil
import struct
import sys

import psycopg2

STATES = [
    'starting up', 'shut down', 'shut down in recovery', 'shutting down', 'in crash recovery', 'in archive recovery',
    'in production',
]
LEFT_OUT = shutil.ignore_patterns('postmaster.pid', 'postmaster.opts', 'pgsql_tmp*', 'pg_internal.init', 'postgresql.auto*')


def controldata(folder):
    with open(os.path.join(folder, 'global', 'pg_control'), 'rb') as file:
        system, version, _, state, _, checkpoint, redo, timeline = struct.unpack_from('=QIII4xqQQI', file.read())
    print('pg_control version number: %d' % version)
    print('Database system identifier: %d' % system)
    print('Database cluster state: %s' % STATES[state])
    print('Latest checkpoint location: %X/%X' % (checkpoint >> 32, checkpoint & 0xFFFFFFFF))
    print("Latest checkpoint's REDO location: %X/%X" % (redo >> 32, redo & 0xFFFFFFFF))
    print("Latest checkpoint's TimeLineID: %d" % timeline)


def basebackup(options):
    into = options['--pgdata']
    connection = psycopg2.connect(options['--dbname'].replace('replication=1', '') + ' dbname=postgres')
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("select current_setting('data_directory'), pg_backup_start('copy', true)")
    source = cursor.fetchone()[0]
    shutil.copytree(source, into, ignore=LEFT_OUT, dirs_exist_ok=True, copy_function=copy_if_there)
    for folder in ('pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_dynshmem', 'pg_notify', 'pg_subtrans'):
        shutil.rmtree(os.path.join(into, folder), ignore_errors=True)
        os.mkdir(os.path.join(into, folder))
    os.mkdir(os.path.join(into, 'pg_wal', 'archive_status'))
    os.chmod(into, 0o700)
    cursor.execute('select labelfile from pg_backup_stop(false)')
    with open(os.path.join(into, 'backup_label'), 'w') as file:
        file.write(cursor.fetchone()[0])


def copy_if_there(source, target):
    """A table may be dropped while it is copied."""
    if os.path.exists(source):
        shutil.copyfile(source, target)


if os.path.basename(sys.argv[0]) == 'pg_controldata':
    controldata(sys.argv[-1])
else:
    basebackup(dict(word.split('=', 1) for word in sys.argv[1:] if word.startswith('--') and '=' in word))
